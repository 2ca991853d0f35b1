import { z } from "zod";

/** The page of a paused call, for programs. */
export const approvalPageSchema = z
  .strictObject({
    status: z.literal("paused"),
    can_be_approved: z.boolean(),
    message: z.string(),
    remedy: z.string(),
  })
  .meta({ id: "ApprovalPage", description: "Where a paused call stands." });
