import { z } from "zod";
import { DECISIONS } from "../execute/verdict.ts";
import { listValues } from "../fields/list-values.ts";
import { isName } from "../fields/name.ts";
import { AUDIT_KINDS } from "./audit-row.ts";

/** Values that one filter names, as count: a filter is compared with every event. */
const MAX_FILTER_VALUES = 50;

/** Values behind each other in one query parameter. */
function listParameter(isValue: (text: string) => boolean, expected: string) {
  const error = `expected 1 to ${String(MAX_FILTER_VALUES)} of ${expected}, a comma between two (%2C in one)`;
  return z
    .string()
    .transform(listValues)
    .refine((values) => values.length <= MAX_FILTER_VALUES && values.every(isValue), { error })
    .optional();
}

const isOneOf =
  (values: readonly string[]) =>
  (text: string): boolean =>
    values.includes(text);

const list = (description: string) => ({
  jsonSchema: { type: "string" },
  description: `${description} Several have a comma between two. Absent: all.`,
});

/** The query of the event stream. */
export const eventFilterSchema = z.strictObject({
  kind: listParameter(isOneOf(AUDIT_KINDS), AUDIT_KINDS.join(", ")).meta(
    list(`Kinds of events: ${AUDIT_KINDS.join(", ")}.`),
  ),
  agent_id: listParameter(isName, "agent ids").meta(list("Events about these agents.")),
  namespace: listParameter(isName, "namespaces").meta(list("Events about these namespaces.")),
  decision: listParameter(isOneOf(DECISIONS), DECISIONS.join(", ")).meta(
    list("Decisions with these results, and their outcomes."),
  ),
});

export type EventFilter = z.output<typeof eventFilterSchema>;
