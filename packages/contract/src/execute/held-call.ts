import { z } from "zod";
import { pageSchema } from "../fields/page.ts";
import { timestampSchema } from "../fields/timestamp.ts";

/**
 * What became of a held call. `released`: its agent recovered, so that the call can be repeated. `revoked`:
 * its session reached EMERGENCY. `expired`: neither happened in time.
 */
export const HELD_CALL_STATUSES = ["held", "released", "revoked", "expired"] as const;
export type HeldCallStatus = (typeof HELD_CALL_STATUSES)[number];

export const heldCallStatusSchema = z
  .enum(HELD_CALL_STATUSES, { error: `expected one of ${HELD_CALL_STATUSES.join(", ")}` })
  .meta({ id: "HeldCallStatus" });

/** A call that is held while its agent is suspended, in its wire form. */
export const heldCallSchema = z
  .strictObject({
    id: z.string(),
    status: heldCallStatusSchema.describe(
      "`held`: the agent is suspended. `released`: it recovered, and the call can be repeated; that " +
        "is judged like any other call. `revoked`: its session reached EMERGENCY. `expired`: neither " +
        "happened in time.",
    ),
    approval_url: z.string().describe("The page for people. Nobody can approve a held call."),
    org_id: z.string(),
    namespace: z.string(),
    agent_id: z.string(),
    session_id: z.string().nullable(),
    tool: z.string(),
    decision_id: z.string().describe("The decision that held the call."),
    requested_by: z.string().describe("Id of the key that asked."),
    held_at: timestampSchema,
    expires_at: timestampSchema,
    ended_at: timestampSchema.nullable(),
    ended_by: z.string().nullable().describe("The part of the server that ended it."),
    end_reason: z.string().nullable(),
  })
  .meta({ id: "HeldCall", description: "A call that is held while its agent is suspended." });
export type HeldCallRecord = Readonly<z.infer<typeof heldCallSchema>>;

export const heldCallListSchema = pageSchema("held_calls", heldCallSchema).meta({
  id: "HeldCallList",
  description: "A page of held calls, newest first.",
});
