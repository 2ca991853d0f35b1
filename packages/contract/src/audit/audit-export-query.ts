import { isTimeOrder, TIME_ORDER_REFUSAL } from "@svc/text/time-order";
import { readTime, timeExpectation } from "@svc/text/time-text";
import { z } from "zod";
import { identifierSchema } from "../fields/identifier-schema.ts";
import { nameSchema } from "../fields/name-schema.ts";
import { choiceParameter } from "../fields/query-parameter.ts";
import { AUDIT_KINDS } from "./audit-row.ts";

/** A time, in the form that rows have: both can then be compared as texts. */
const time = () =>
  z
    .string()
    .refine((text) => readTime(text) !== null, { error: timeExpectation })
    .transform((text) => new Date(readTime(text) ?? 0).toISOString())
    .meta({ jsonSchema: { type: "string", format: "date-time" } });

const KIND_EXPECTATION = `expected one of ${AUDIT_KINDS.join(", ")}`;

/** What `GET audit/export` can be asked for. A row belongs to the export when it fits every parameter. */
export const auditExportQuerySchema = z
  .strictObject({
    since: time().optional().describe("Rows of this time and later."),
    until: time().optional().describe("Rows before this time."),
    agent_id: nameSchema.optional().describe("Rows that name this agent, and kill switches on it."),
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
