import { DECISIONS, type Decision } from "./verdict.ts";

/** What a test may expect of a decision. `not_allow`: any with which the call does not run. */
export const EXPECTED_DECISIONS = [...DECISIONS, "not_allow"] as const;

type OneExpected = (typeof EXPECTED_DECISIONS)[number];

/** One of them, or a list of which one is enough. */
export type ExpectedDecisions = OneExpected | readonly OneExpected[];

/** Whether a test may expect this. A list must have a member. */
export function isExpectedDecisions(value: unknown): value is ExpectedDecisions {
  const isOne = (one: unknown): boolean => EXPECTED_DECISIONS.some((name) => name === one);
  return Array.isArray(value) ? value.length > 0 && value.every(isOne) : isOne(value);
}

export const EXPECTED_DECISIONS_TEXT = `one of ${EXPECTED_DECISIONS.join(", ")}, or a list of them`;

export function meetsDecision(expected: ExpectedDecisions, decision: Decision): boolean {
  return listOf(expected).some((one) => (one === "not_allow" ? decision !== "allow" : one === decision));
}

/** `deny or pause`. */
export function expectedDecisionsText(expected: ExpectedDecisions): string {
  return listOf(expected).join(" or ");
}

function listOf(expected: ExpectedDecisions): readonly OneExpected[] {
  return typeof expected === "string" ? [expected] : expected;
}
