import { z } from "zod";
import { reasonCodeSchema } from "./reason-code-schema.ts";

/** What a governance mode kept from taking effect. */
export const wouldBeSchema = z
  .strictObject({
    decision: z.enum(["deny", "pause"]).meta({ id: "RefusedDecision" }),
    reason: z.string(),
    reason_code: reasonCodeSchema,
    rule_id: z.string().nullable(),
  })
  .meta({ id: "WouldBe", description: "What the governance mode kept from taking effect." });

export const nullableWouldBeSchema = wouldBeSchema.nullable();
