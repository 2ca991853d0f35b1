import { DEFAULT_NAMESPACE } from "@svc/contract/execute-request";
import type { Principal } from "@svc/contract/principal";
import { refuseBinding } from "@svc/contract/refuse-binding";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";

/**
 * The namespace whose settings apply to the sessions of an agent: the registered one, else the one namespace
 * that the key is bound to, else the default. Refuses a key that may not act for the agent there.
 */
export function namespaceOfSession(
  { supervised }: Pick<ControlPlanePorts, "supervised">,
  principal: Principal,
  agentId: string,
): Outcome<string> {
  const { org, namespaces } = principal;
  const [bound, ...others] = namespaces ?? [];
  const only = others.length === 0 ? bound : undefined;
  const registered = supervised.namespaceOf(org, agentId);
  const namespace = registered ?? only ?? DEFAULT_NAMESPACE;
  const implied = registered === null ? "default_of_session" : "registration";
  const problem = refuseBinding(principal, { agent_id: agentId, namespace, implied });
  return problem === null ? { kind: "ok", value: namespace } : { kind: "problem", problem };
}
