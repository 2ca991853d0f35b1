import { z } from "zod";
import { timestampSchema } from "./timestamp.ts";

/** A quarantine in its wire form: until it ends, the agent may only call read-only tools of its policy. */
export const quarantineSchema = z
  .strictObject({
    reason: z.string(),
    quarantined_by: z.string().describe("Who or what asked for it."),
    quarantined_at: timestampSchema,
    expires_at: timestampSchema.nullable().describe("Null: it lasts until somebody lifts it."),
  })
  .meta({
    id: "Quarantine",
    description: "Until it ends, the agent may call only tools that its policy marks read-only.",
  });
