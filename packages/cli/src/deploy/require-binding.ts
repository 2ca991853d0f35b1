import { policyRoutes } from "@svc/api/policy-routes";
import type { ControlClient } from "../connection/control-client.ts";
import { CommandFailure } from "../frame/exit-code.ts";

export interface Binding {
  readonly id: string;
  /** The agent that the document names; null: none. */
  readonly agentId: string | null;
  readonly isNew: boolean;
}

/**
 * A new policy takes an agent that no policy is assigned to, and a later version names the agent that the
 * policy is assigned to. The server refuses the rest when it stores the version, and not when it only checks.
 * @throws CommandFailure `failed`
 */
export async function requireBinding(
  client: Pick<ControlClient, "ask">,
  { id, agentId, isNew }: Binding,
): Promise<void> {
  if (agentId === null) return;
  const query = { agent: agentId, archived: "all" };
  const { policies } = (await client.ask(policyRoutes.listPolicies, { query })).body;
  const others = policies.filter((policy) => policy.id !== id).map((policy) => policy.id);
  if (isNew ? others.length === 0 : policies.length > others.length) return;
  const found = others.length === 0 ? "no policy" : `policy ${others.join(", ")}`;
  throw new CommandFailure(
    "failed",
    `policy ${id} names agent_id ${agentId}, which is assigned to ${found}. Nothing was deployed. ` +
      "Change agent_id, or the assignment: docs/API.md, policy-assignments",
  );
}
