import { describe, it } from "vitest";
import { expectNaiveReading } from "./testing/naive-reading.suite.ts";

describe("the language, read word by word", () => {
  // proves POL-75
  it("is what the compiled engine evaluates", () => {
    expectNaiveReading(500);
  });
});
