import { z } from "zod";

/** Longest time in seconds for which a call may lack its outcome: a day. */
export const MAX_OUTCOME_SECONDS = 86_400;

/** Largest count of a threshold of coverage, as count: more than a session calls in an hour. */
const MAX_COVERAGE_COUNT = 100_000;

const SECONDS_EXPECTATION = `expected whole seconds from 1 to ${String(MAX_OUTCOME_SECONDS)}`;

const count = (what: string) => {
  const bounds = `from 1 to ${String(MAX_COVERAGE_COUNT)}`;
  const error = `expected a number of ${what} ${bounds}, or null to switch it off`;
  return z.int({ error }).min(1, { error }).max(MAX_COVERAGE_COUNT, { error }).nullable();
};

/** When calls and the reports about them do not fit together. Null: never, for this reason. */
export const coverageSettingsSchema = z
  .strictObject(
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
      missing_outcomes: count("calls")
        .default(5)
        .describe("Allowed calls of a session in an hour without an outcome, if a tenth of them lacks one."),
      unallowed_runs: count("calls")
        .default(1)
        .describe("Calls of a session in an hour that ran although they were not allowed."),
    },
    { error: "expected an object" },
  )
  .meta({ id: "CoverageSettings" });

export type CoverageSettings = Readonly<z.output<typeof coverageSettingsSchema>>;
