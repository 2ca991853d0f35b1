import { readTime, TIME_EXPECTATION, timeExpectation } from "@svc/text/time-text";
import { z } from "zod";
import { DECISIONS, type Decision } from "../execute/verdict.ts";
import { listValues } from "../fields/list-values.ts";
import { listParameterOf, wordsParameter } from "../fields/query-parameter.ts";
import { MAX_FILTER_VALUES, MAX_NAME_BYTES, MAX_SEARCH_LENGTH } from "../limits.ts";
import { AUDIT_KINDS, type AuditKind } from "./audit-row.ts";

/** Which rows a list shows. An empty list of values lets every row pass. Different filters must all match. */
export interface AuditFilter {
  readonly agents: readonly string[];
  readonly sessions: readonly string[];
  readonly tools: readonly string[];
  readonly namespaces: readonly string[];
  readonly rules: readonly string[];
  readonly policies: readonly string[];
  readonly principals: readonly string[];
  readonly approvals: readonly string[];
  readonly kinds: readonly AuditKind[];
  readonly decisions: readonly Decision[];
  readonly wouldBe: readonly Decision[];
  /** Unix milliseconds of the first instant; null: from the start. */
  readonly sinceMs: number | null;
  /** Unix milliseconds of the first instant that is left out; null: up to now. */
  readonly untilMs: number | null;
  /** A text in the reason, whatever its case. No character of it is a wildcard. */
  readonly text: string | null;
}

/** Lets every row pass. */
export const ANY_AUDIT_ROW: AuditFilter = {
  agents: [],
  sessions: [],
  tools: [],
  namespaces: [],
  rules: [],
  policies: [],
  principals: [],
  approvals: [],
  kinds: [],
  decisions: [],
  wouldBe: [],
  sinceMs: null,
  untilMs: null,
  text: null,
};

/** Comma-separated values. */
function listParameter(what: string) {
  const error =
    `expected 1 to ${String(MAX_FILTER_VALUES)} values, separated by commas (%2C in one), each of ` +
    `1 to ${String(MAX_NAME_BYTES)} characters, none of them a control character`;
  const schema = z
    .string({ error })
    .transform((text) => [...new Set(listValues(text))])
    .refine((values) => values.length <= MAX_FILTER_VALUES && values.every(isName), { error })
    .optional()
    .meta({
      jsonSchema: { type: "string" },
      description: `${what} Several values: separate them by commas.`,
    });
  return listParameterOf(schema, []);
}

function isName(text: string): boolean {
  return text.length > 0 && text.length <= MAX_NAME_BYTES && /^\P{Cc}+$/u.test(text);
}

/** A time in a query, read as Unix milliseconds. */
export function timeParameter(what: string) {
  return z
    .string({ error: TIME_EXPECTATION })
    .refine((text) => readTime(text) !== null, { error: timeExpectation })
    .transform((text) => readTime(text) ?? 0)
    .optional()
    .meta({ jsonSchema: { type: "string", examples: ["2026-11-22T09:41:07.123Z"] }, description: what });
}

const SEARCH_EXPECTATION =
  `expected a text of 1 to ${String(MAX_SEARCH_LENGTH)} characters, ` + "none of them a control character";

/** The query parameters that narrow a list of audit rows. */
export const AUDIT_FILTERS = {
  agent_id: listParameter("Rows of these agents."),
  session_id: listParameter("Rows of these sessions."),
  tool: listParameter("Rows of calls of these tools."),
  namespace: listParameter("Rows of these namespaces."),
  rule_id: listParameter("Decisions of these rules."),
  policy_id: listParameter("Decisions of these policies, and changes of them."),
  principal: listParameter("Rows that these API keys caused, by id."),
  approval_id: listParameter("Rows of these approvals."),
  kind: wordsParameter(AUDIT_KINDS, "Rows of these kinds."),
  decision: wordsParameter(DECISIONS, "Decisions with these outcomes."),
  would_be: wordsParameter(
    ["deny", "pause"],
    "Decisions that enforcement would have answered in these ways.",
  ),
  since: timeParameter("Rows of this time or later."),
  until: timeParameter("Rows before this time."),
  q: z
    .string()
    .min(1, { error: SEARCH_EXPECTATION })
    .max(MAX_SEARCH_LENGTH, { error: SEARCH_EXPECTATION })
    .regex(/^\P{Cc}*$/u, { error: SEARCH_EXPECTATION })
    .optional()
    .describe("A text in the reason, whatever its case. No character is a wildcard."),
};

type Query = z.output<z.ZodObject<typeof AUDIT_FILTERS>>;

/** The filter that the query parameters ask for. */
export function auditFilter(query: Query): AuditFilter {
  return {
    agents: query.agent_id ?? [],
    sessions: query.session_id ?? [],
    tools: query.tool ?? [],
    namespaces: query.namespace ?? [],
    rules: query.rule_id ?? [],
    policies: query.policy_id ?? [],
    principals: query.principal ?? [],
    approvals: query.approval_id ?? [],
    kinds: query.kind ?? [],
    decisions: query.decision ?? [],
    wouldBe: query.would_be ?? [],
    sinceMs: query.since ?? null,
    untilMs: query.until ?? null,
    text: query.q ?? null,
  };
}
