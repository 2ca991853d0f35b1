import { z } from "zod";
import { parseWith } from "./from-zod.ts";
import type { JsonValue } from "./json-value.ts";
import { parseUsd, USD_EXPECTATION } from "./money.ts";
import { OUTCOME_STATUSES, type OutcomeReport } from "./outcome.ts";
import type { Parsed } from "./parsed.ts";

/** Longest duration that a report may tell, in milliseconds: a week. */
const MAX_DURATION_MS = 7 * 24 * 60 * 60 * 1_000;

const DURATION_EXPECTATION = `expected milliseconds from 0 to ${String(MAX_DURATION_MS)}`;

/** Body of `POST gateway/outcome`. */
export const outcomeReportSchema = z
  .strictObject({
    decision_id: z.string({ error: "expected the decision_id of a verdict" }).min(1).max(256),
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
