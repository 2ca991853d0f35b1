import { z } from "zod";
import { governanceModeSchema } from "../../execute/decision-schema.ts";
import { picked, webhookKind } from "../webhook-kind.ts";
import { memberForms } from "./member-forms.ts";

const { maybe, text } = memberForms;

/** Events about policies. */
export const policyKinds = {
  "policy.version_created": webhookKind({
    when: "a policy got a new version: it was created, updated or rolled back",
    rows: ["policy.created", "policy.updated", "policy.rolled_back"],
    data: {
      policy_id: text,
      policy_version: z.int(),
      agent_id: maybe.describe("The agent that the document names."),
      change: z.enum(["created", "updated", "rolled_back"]),
      rolled_back_to: z.int().nullable().describe("The version whose document it has again."),
      mode: governanceModeSchema.nullable(),
      document_digest: maybe.describe("`sha256:` and hexadecimal digits of the document."),
      created_by: text.describe("The id of the key."),
      why: maybe,
    },
    example: {
      policy_id: "payments",
      policy_version: 4,
      agent_id: "refund-agent",
      change: "updated",
      rolled_back_to: null,
      mode: "enforcement",
      document_digest: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      created_by: "3f9c1e2a7b4d",
      why: "refunds above 1000 need approval",
    },
    read: (row) =>
      row.policy_version === null
        ? null
        : {
            ...picked(row, "policy_id", "agent_id", "rolled_back_to", "mode", "document_digest", "why"),
            policy_version: row.policy_version,
            change: row.action,
            created_by: row.principal,
          },
  }),
};
