import type { JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { MAX_REASON_LENGTH } from "../limits.ts";

const EXPECTATION =
  `expected the reason in 1 to ${String(MAX_REASON_LENGTH)} characters, ` + "not only white space";

/** Why somebody changes something: a sentence for those who read the history. */
const whySchema = z
  .string({ error: EXPECTATION })
  .max(MAX_REASON_LENGTH, { error: EXPECTATION })
  .regex(/\S/, { error: EXPECTATION })
  .describe("Why. It goes into the history and into the audit log.");

/** The member `why` of a body. */
export const whyMember = whySchema
  .nullable()
  .default(null)
  .describe("Why. It goes into the history and into the audit log.");

/** The query parameter `why`. */
export const WHY = { why: whySchema.optional() };

export interface WhyRequest {
  readonly why: string | null;
}

/** Body of a change that needs no more than a reason. */
export const whyRequestSchema = z
  .strictObject({ why: whyMember })
  .meta({ id: "WhyRequest", description: "Why the change is made." });

export function parseWhyRequest(value: JsonValue): Parsed<WhyRequest> {
  return parseWith(whyRequestSchema, value, nearestField(["why"]));
}
