// long: 20,000 random policies take half a minute; SVC_TEST_POLICIES=100000 compares more
import { describe, it } from "vitest";
import { expectNaiveReading } from "./testing/naive-reading.suite.ts";

const POLICIES = Number(process.env["SVC_TEST_POLICIES"] ?? 20_000);

/** Milliseconds: 100,000 policies take some two minutes on a quiet machine. */
const DEADLINE_MS = 1_800_000;

describe("the language, read word by word", () => {
  // proves POL-75
  it("is what the compiled engine evaluates, for many policies", { timeout: DEADLINE_MS }, () => {
    expectNaiveReading(POLICIES);
  });
});
