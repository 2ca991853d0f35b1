import { z } from "zod";
import { AUDIT_KINDS } from "./audit-query.ts";
import { identifierSchema } from "./identifier.ts";
import { choiceParameter } from "./query-parameter.ts";
import { isTimeOrder, TIME_ORDER_REFUSAL } from "./time-order.ts";

const TIME_EXPECTATION = "expected a time in UTC, such as 2026-11-22T09:41:07Z or 2026-11-22T09:41:07.123Z";

/** A time, in the form that rows have: both can then be compared as texts. */
const time = () =>
  z
    .string()
    .refine((text) => rowTime(text) !== null, { error: TIME_EXPECTATION })
    .transform((text) => rowTime(text) ?? text)
    .meta({ jsonSchema: { type: "string", format: "date-time" } });

const KIND_EXPECTATION = `expected one of ${AUDIT_KINDS.join(", ")}`;

/** What `GET audit/export` can be asked for. A row belongs to the export when it fits every parameter. */
export const auditExportQuerySchema = z
  .strictObject({
    since: time().optional().describe("Rows of this time and later."),
    until: time().optional().describe("Rows before this time."),
    agent_id: identifierSchema.optional().describe("Rows that name this agent."),
    kind: z
      .enum(AUDIT_KINDS, { error: KIND_EXPECTATION })
      .optional()
      .describe("Rows of this kind, such as `decision`."),
    format: choiceParameter(["ndjson", "ocsf"], "ndjson").describe(
      "`ocsf`: events of the Open Cybersecurity Schema Framework, which prove nothing.",
    ),
    log_id: identifierSchema.optional().describe("Rows of this log. Absent: of every log."),
  })
  .refine(isTimeOrder, TIME_ORDER_REFUSAL);

export type AuditExportQuery = Readonly<z.infer<typeof auditExportQuerySchema>>;

/** Seconds or milliseconds in UTC, with milliseconds. Null for another form, or a day that does not exist. */
function rowTime(text: string): string | null {
  if (!/^[0-9]{4}-[0-9-]{5}T[0-9:]{8}(?:[.][0-9]{3})?Z$/.test(text)) return null;
  const full = text.includes(".") ? text : text.replace("Z", ".000Z");
  const milliseconds = Date.parse(full);
  return Number.isFinite(milliseconds) && new Date(milliseconds).toISOString() === full ? full : null;
}
