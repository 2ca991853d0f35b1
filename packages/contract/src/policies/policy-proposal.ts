import type { JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { nameSchema } from "../fields/name-schema.ts";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { rangeFields } from "./replay.ts";

/** Body of a proposal. */
export const proposalRequestSchema = z
  .strictObject({
    agent_id: nameSchema.optional().describe("Calls of this agent. Exactly one of it and `namespace`."),
    namespace: nameSchema.optional().describe("Calls in this namespace."),
    ...rangeFields,
  })
  .refine(({ agent_id, namespace }) => (agent_id === undefined) !== (namespace === undefined), {
    path: ["agent_id"],
    error: "expected exactly one of agent_id and namespace",
  })
  .meta({ id: "PolicyProposalRequest", description: "Whose calls the proposed policy allows." });

export interface ProposalRequest {
  readonly agentId: string | null;
  readonly namespace: string | null;
  readonly since: string;
  /** Null: now. */
  readonly until: string | null;
}

export function parseProposal(value: JsonValue): Parsed<ProposalRequest> {
  const names = ["agent_id", "namespace", "since", "until"];
  const parsed = parseWith(proposalRequestSchema, value, nearestField(names));
  if (!parsed.ok) return parsed;
  const { agent_id: agentId = null, namespace = null, since, until = null } = parsed.value;
  return { ok: true, value: { agentId, namespace, since, until } };
}

export const proposedPolicySchema = z
  .strictObject({
    document: z.string().describe("The policy document as YAML, with what was seen in comments."),
    policy_id: z.string().nullable().describe("The policy that governs now. Null: none does."),
    grants: z
      .array(
        z
          .strictObject({ tool: z.string(), calls: z.int(), last_use: timestampSchema })
          .meta({ id: "ProposedGrant" }),
      )
      .readonly()
      .describe("The tools that ran."),
    unused: z
      .array(
        z
          .strictObject({ kind: z.enum(["tools.allowed", "rule"]), entry: z.string() })
          .meta({ id: "UnusedGrant" }),
      )
      .readonly()
      .describe("Grants of the present policy that no call used."),
    left_out: z
      .array(z.string())
      .readonly()
      .describe("Rules of the present policy that would stop calls that ran. The proposal leaves them out."),
    warnings: z
      .array(z.string())
      .readonly()
      .describe("Why the proposal may not be what was meant, such as an agent of which no call was allowed."),
  })
  .meta({ id: "ProposedPolicy", description: "The smallest policy that allows what ran." });
export type ProposedPolicy = Readonly<z.infer<typeof proposedPolicySchema>>;
