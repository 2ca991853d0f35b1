import type { JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { nameSchema } from "../fields/name-schema.ts";
import { pageSchema } from "../fields/page.ts";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { MAX_REASON_LENGTH } from "../limits.ts";

/** A legal hold in its wire form. Without agent, session and namespace it covers the whole organization. */
export const legalHoldSchema = z
  .strictObject({
    id: z.string(),
    reason: z.string(),
    agent_id: z.string().nullable(),
    session_id: z.string().nullable(),
    namespace: z.string().nullable(),
    created_at: timestampSchema,
    created_by: z.string().describe("Id of the key."),
    lifted_at: timestampSchema.nullable().describe("Null while the hold is in force."),
    lifted_by: z.string().nullable().describe("Id of the key; null while the hold is in force."),
  })
  .meta({ id: "LegalHold", description: "Rows that retention does not remove." });

export type LegalHoldRecord = Readonly<z.infer<typeof legalHoldSchema>>;

export const legalHoldPageSchema = pageSchema("legal_holds", legalHoldSchema).meta({
  id: "LegalHoldPage",
  description: "A page of legal holds, newest first.",
});

const REASON_LENGTH = `1 to ${String(MAX_REASON_LENGTH)} characters`;
const REASON_EXPECTATION = `expected why the rows are kept, in ${REASON_LENGTH}, not only white space`;

/** Body of `POST legal-holds`. A row is covered when it fits every field that is set. */
export const legalHoldRequestSchema = z
  .strictObject({
    reason: z
      .string({ error: REASON_EXPECTATION })
      .max(MAX_REASON_LENGTH, { error: REASON_EXPECTATION })
      .regex(/\S/, { error: REASON_EXPECTATION })
      .describe("Why the rows are kept, such as the name of the case."),
    agent_id: nameSchema.optional().describe("Decisions about calls of this agent."),
    session_id: nameSchema.optional().describe("Decisions about calls of this session."),
    namespace: nameSchema.optional().describe("Decisions about calls in this namespace."),
  })
  .meta({
    id: "LegalHoldRequest",
    description: "Without agent, session and namespace the hold covers every row of the organization.",
  });

export type LegalHoldRequest = Readonly<z.infer<typeof legalHoldRequestSchema>>;

export function parseLegalHoldRequest(value: JsonValue): Parsed<LegalHoldRequest> {
  return parseWith(legalHoldRequestSchema, value, nearestField(Object.keys(legalHoldRequestSchema.shape)));
}
