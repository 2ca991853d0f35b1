import type { JsonValue } from "@svc/text/json-value";
import { parseUsd } from "@svc/text/usd";
import { z } from "zod";
import { parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { usdSchema } from "./execute-body-schema.ts";
import { OUTCOME_STATUSES, type OutcomeStatus } from "./outcome-status.ts";

/** Body of `POST /api/v1/gateway/outcome`, parsed. */
export interface OutcomeReport {
  readonly decision_id: string;
  readonly status: OutcomeStatus;
  /** What the call really cost in micro-USD; null: what was reserved. */
  readonly cost_micro_usd: number | null;
  readonly duration_ms: number | null;
}

/** Longest duration that a report may tell, in milliseconds: a week. */
const MAX_DURATION_MS = 7 * 24 * 60 * 60 * 1_000;

const DURATION_EXPECTATION = `expected milliseconds from 0 to ${String(MAX_DURATION_MS)}`;

/** Longest decision id in UTF-16 units: an identifier, a point and a sequence number fit. */
const MAX_DECISION_ID_LENGTH = 256;

const DECISION_ID_EXPECTATION = "expected the decision_id of a verdict";

export const outcomeStatusSchema = z
  .enum(OUTCOME_STATUSES, { error: `expected one of ${OUTCOME_STATUSES.join(", ")}` })
  .meta({ id: "OutcomeStatus" });

/** Body of `POST gateway/outcome`. */
export const outcomeReportSchema = z
  .strictObject({
    decision_id: z
      .string({ error: DECISION_ID_EXPECTATION })
      .min(1, { error: DECISION_ID_EXPECTATION })
      .max(MAX_DECISION_ID_LENGTH, { error: DECISION_ID_EXPECTATION })
      .describe("The `decision_id` of the verdict."),
    status: outcomeStatusSchema.describe(
      "How it ended. `not_executed` gives step and cost back to keys that may ask for it.",
    ),
    cost_usd: usdSchema.optional().describe("What it really cost. Absent: what was reserved."),
    duration_ms: z
      .number({ error: DURATION_EXPECTATION })
      .min(0, { error: DURATION_EXPECTATION })
      .max(MAX_DURATION_MS, { error: DURATION_EXPECTATION })
      .optional()
      .describe("Milliseconds that the call took."),
  })
  .transform(
    (body): OutcomeReport => ({
      decision_id: body.decision_id,
      status: body.status,
      cost_micro_usd: body.cost_usd === undefined ? null : parseUsd(body.cost_usd),
      duration_ms: body.duration_ms ?? null,
    }),
  )
  .meta({ id: "OutcomeReport", description: "How an allowed call ended." });

/** The answer to a report. */
export const recordedSchema = z
  .strictObject({ recorded: z.literal(true) })
  .meta({ id: "Recorded", description: "The report is in the audit log." });

export function parseOutcomeReport(value: JsonValue): Parsed<OutcomeReport> {
  return parseWith(outcomeReportSchema, value);
}
