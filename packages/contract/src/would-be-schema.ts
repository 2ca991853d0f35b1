import { z } from "zod";
import { reasonCodeSchema } from "./reason-code-schema.ts";

/** What a governance mode kept from taking effect. */
export const wouldBeSchema = z
  .strictObject({
    decision: z.enum(["deny", "pause"]),
    reason: z.string(),
    reason_code: reasonCodeSchema,
    rule_id: z.string().nullable(),
  })
  .meta({ id: "WouldBe", description: "What the governance mode kept from taking effect." });

/** The same where it can be null. It has no name: OpenAPI 3.0 has no reference that can be null. */
export const nullableWouldBeSchema = z.strictObject(wouldBeSchema.shape).nullable();
