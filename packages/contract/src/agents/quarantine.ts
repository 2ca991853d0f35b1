import type { JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { sentenceSchema } from "../fields/sentence-schema.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { ttlSecondsSchema } from "../fields/ttl-seconds-schema.ts";

/** A quarantine in its wire form: until it ends, the agent may only call read-only tools of its policy. */
export const quarantineSchema = z
  .strictObject({
    reason: z.string(),
    quarantined_by: z.string().describe("Who or what asked for it."),
    quarantined_at: timestampSchema,
    expires_at: timestampSchema.nullable().describe("Null: it lasts until somebody lifts it."),
  })
  .meta({ id: "Quarantine", description: "Until it ends, only read-only tools may be called." });
export type QuarantineRecord = Readonly<z.infer<typeof quarantineSchema>>;

/** Body of `POST agents/{id}/quarantine`. */
export const quarantineRequestSchema = z
  .strictObject({
    reason: sentenceSchema("the reason").describe("Why, for people."),
    quarantined_by: sentenceSchema("the name of who or what asks for it").describe(
      "Who or what asks for it.",
    ),
    ttl_seconds: ttlSecondsSchema.describe(
      "Seconds until it ends by itself. Null: it lasts until somebody lifts it.",
    ),
    dry_run: z
      .boolean({ error: "expected true or false" })
      .default(false)
      .describe("Only says what would stop."),
  })
  .meta({ id: "QuarantineRequest", description: "Why the agent is limited, and for how long." });
export type QuarantineRequest = Readonly<z.infer<typeof quarantineRequestSchema>>;

/** Body of `DELETE agents/{id}/quarantine`. */
export const quarantineLiftSchema = z
  .strictObject({
    reason: sentenceSchema("the reason").describe("Why, for people."),
    lifted_by: sentenceSchema("the name of who or what lifts it").describe("Who or what lifts it."),
  })
  .meta({ id: "QuarantineLift", description: "Why the quarantine ends." });
export type QuarantineLift = Readonly<z.infer<typeof quarantineLiftSchema>>;

export function parseQuarantineRequest(value: JsonValue): Parsed<QuarantineRequest> {
  return parseWith(quarantineRequestSchema, value, nearestField(Object.keys(quarantineRequestSchema.shape)));
}

export function parseQuarantineLift(value: JsonValue): Parsed<QuarantineLift> {
  return parseWith(quarantineLiftSchema, value, nearestField(Object.keys(quarantineLiftSchema.shape)));
}
