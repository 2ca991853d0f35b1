import type { JsonValue } from "@svc/text/json-value";
import { z } from "zod";

/** What a change of a policy is about. */
export const CHANGE_SECTIONS = ["rule", "tools", "ceiling", "price", "mode", "field"] as const;

export const CHANGE_KINDS = ["added", "removed", "changed", "moved"] as const;

const side = () => z.custom<JsonValue>((value) => value !== undefined);

/** One difference in what two documents mean. */
export const policyChangeSchema = z
  .strictObject({
    kind: z.enum(CHANGE_KINDS),
    section: z.enum(CHANGE_SECTIONS),
    path: z.string().describe("An RFC 6901 pointer into the document, in which a rule is named by its id."),
    before: side().meta({
      jsonSchema: {},
      description:
        "Null when there was nothing. Of a tool list, the one glob that was removed. Of a moved rule, its " +
        "place in the order of evaluation, from 1.",
    }),
    after: side().meta({ jsonSchema: {}, description: "The same, of the later version." }),
  })
  .meta({ id: "PolicyChange", description: "One difference in what two versions of a policy mean." });
export type PolicyChange = Readonly<z.infer<typeof policyChangeSchema>>;

/** Two versions of a policy, compared. */
export const policyDiffSchema = z
  .strictObject({
    policy_id: z.string(),
    from: z.int().describe("The earlier version."),
    to: z.int(),
    identical: z.boolean().describe("Whether both versions have the same text, byte for byte."),
    text_only: z
      .boolean()
      .describe(
        "Whether the texts differ and mean the same: comments, formatting, written-out defaults and the " +
          "order of tool lists are not changes.",
      ),
    changes: z.array(policyChangeSchema).readonly().describe("Every difference in meaning."),
  })
  .meta({ id: "PolicyDiff", description: "What changed between two versions of a policy." });
