import { runs } from "@svc/text/testing/runs";
import { describe, it } from "vitest";
import { expectNaiveReading } from "./testing/naive-reading.suite.ts";

const POLICIES = runs(2_000, 200_000);

/** Milliseconds: 200,000 policies take some four minutes on a quiet machine. */
const DEADLINE_MS = 1_800_000;

describe("the language, read word by word", () => {
  // proves POL-75
  it("is what the compiled engine evaluates, for many policies", { timeout: DEADLINE_MS }, () => {
    expectNaiveReading(POLICIES);
  });
});
