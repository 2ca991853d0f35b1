import { z } from "zod";
import { pageSchema } from "../fields/page.ts";

/** A signed checkpoint of one log. */
export const checkpointSchema = z
  .strictObject({
    log_id: z.string(),
    size: z.int().describe("How many rows the checkpoint covers."),
    note: z.string().describe("The signed note, as docs/AUDIT-FORMAT.md specifies it."),
  })
  .meta({ id: "Checkpoint", description: "The signed head of a log." });

export const checkpointPageSchema = pageSchema("checkpoints", checkpointSchema).meta({
  id: "CheckpointPage",
  description: "A page of checkpoints, ascending by log and size.",
});

/** The keys that checkpoints are verified with. */
export const verifierKeysSchema = z
  .strictObject({ keys: z.array(z.string()).readonly().describe("Oldest first.") })
  .meta({
    id: "VerifierKeys",
    description: "Every key that checkpoints of this server were ever signed with.",
  });
