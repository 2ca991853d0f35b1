// long: it compares 100,000 random policies with a naive reading
import { describe, it } from "vitest";
import { expectNaiveReading } from "./testing/naive-reading.suite.ts";

/** Milliseconds: some two minutes on a quiet machine. */
const DEADLINE_MS = 1_800_000;

describe("the language, read word by word", () => {
  // proves POL-75
  it("is what the compiled engine evaluates, for many policies", { timeout: DEADLINE_MS }, () => {
    expectNaiveReading(100_000);
  });
});
