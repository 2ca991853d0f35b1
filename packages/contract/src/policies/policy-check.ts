import { z } from "zod";
import { policyFindingSchema } from "./policy.ts";

/** What the author of a document learns about it. */
export const policyCheckSchema = z
  .strictObject({
    valid: z.boolean().describe("Whether the document can be loaded. A document with warnings can."),
    diagnostics: z.array(policyFindingSchema).readonly().describe("Every finding: errors and warnings."),
  })
  .meta({
    id: "PolicyCheck",
    description: "Whether a document can be loaded, and what is noticed about it.",
  });
