import { z } from "zod";

/** Longest time in seconds for which a call may lack its outcome: a day. */
const MAX_OUTCOME_SECONDS = 86_400;

const SECONDS_EXPECTATION = `expected whole seconds from 1 to ${String(MAX_OUTCOME_SECONDS)}`;

/** When calls and the reports about them do not fit together. */
export const coverageSettingsSchema = z.strictObject(
  {
    outcomes_expected: z
      .boolean({ error: "expected true or false" })
      .default(false)
      .describe("Whether calls count also in a session in which no run was reported."),
    outcome_within_seconds: z
      .int({ error: SECONDS_EXPECTATION })
      .min(1, { error: SECONDS_EXPECTATION })
      .max(MAX_OUTCOME_SECONDS, { error: SECONDS_EXPECTATION })
      .default(900)
      .describe("Seconds after an allow until its outcome is missing."),
  },
  { error: "expected an object" },
);

export type CoverageSettings = Readonly<z.output<typeof coverageSettingsSchema>>;
