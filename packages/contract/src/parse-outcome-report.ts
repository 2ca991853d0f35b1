import { z } from "zod";
import type { JsonValue } from "./json-value.ts";
import { OUTCOME_STATUSES, type OutcomeReport } from "./outcome.ts";
import { parseWith } from "./parse-with.ts";
import type { Parsed } from "./parsed.ts";
import { parseUsd, USD_EXPECTATION } from "./usd.ts";

/** Longest duration that a report may tell, in milliseconds: a week. */
const MAX_DURATION_MS = 7 * 24 * 60 * 60 * 1_000;

const DURATION_EXPECTATION = `expected milliseconds from 0 to ${String(MAX_DURATION_MS)}`;

/** Longest decision id in UTF-16 units: an identifier, a point and a sequence number fit. */
const MAX_DECISION_ID_LENGTH = 256;

const DECISION_ID_EXPECTATION = "expected the decision_id of a verdict";

/** Body of `POST gateway/outcome`. */
export const outcomeReportSchema = z
  .strictObject({
    decision_id: z
      .string({ error: DECISION_ID_EXPECTATION })
      .min(1, { error: DECISION_ID_EXPECTATION })
      .max(MAX_DECISION_ID_LENGTH, { error: DECISION_ID_EXPECTATION }),
    status: z.enum(OUTCOME_STATUSES, { error: `expected one of ${OUTCOME_STATUSES.join(", ")}` }),
    cost_usd: z
      .union([z.string(), z.number()], { error: `expected ${USD_EXPECTATION}` })
      .refine((cost) => parseUsd(cost) !== null, { error: `expected ${USD_EXPECTATION}` })
      .optional(),
    duration_ms: z
      .number({ error: DURATION_EXPECTATION })
      .min(0, { error: DURATION_EXPECTATION })
      .max(MAX_DURATION_MS, { error: DURATION_EXPECTATION })
      .optional(),
  })
  .transform(
    (body): OutcomeReport => ({
      decision_id: body.decision_id,
      status: body.status,
      cost_micro_usd: body.cost_usd === undefined ? null : parseUsd(body.cost_usd),
      duration_ms: body.duration_ms ?? null,
    }),
  );

export function parseOutcomeReport(value: JsonValue): Parsed<OutcomeReport> {
  return parseWith(outcomeReportSchema, value);
}
