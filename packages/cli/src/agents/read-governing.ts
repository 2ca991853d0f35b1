import { assignmentRoutes } from "@svc/api/assignment-routes";
import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import { policyRoutes } from "@svc/api/policy-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { GovernanceMode } from "@svc/contract/verdict";
import { type ControlClient, everyPage } from "../connection/control-client.ts";
import { CommandFailure } from "../frame/exit-code.ts";

/** What governs the calls of an agent. */
export type Governing =
  | { readonly kind: "policy"; readonly policy: GoverningPolicy }
  /** Every call is denied. */
  | { readonly kind: "none" }
  | { readonly kind: "unknown" };

interface GoverningPolicy {
  readonly id: string;
  readonly mode: GovernanceMode;
  /** False: every call is denied. */
  readonly enabled: boolean;
}

type FindGoverning = (agent: { readonly id: string; readonly namespace: string }) => Governing;

const limit = String(MAX_PAGE_SIZE);

/** The policy of the agent itself, else of its namespace. Unknown where the key may not read policies. */
export async function readGoverning(client: ControlClient): Promise<FindGoverning> {
  try {
    const [policies, bound] = await Promise.all([policiesById(client), assignments(client)]);
    return ({ id, namespace }) => {
      const policyId = bound.get(`agent ${id}`) ?? bound.get(`namespace ${namespace}`);
      if (policyId === undefined) return { kind: "none" };
      const policy = policies.get(policyId);
      return policy === undefined ? { kind: "unknown" } : { kind: "policy", policy };
    };
  } catch (fault) {
    if (fault instanceof CommandFailure && fault.outcome === "refused") return () => ({ kind: "unknown" });
    throw fault;
  }
}

async function policiesById(client: ControlClient): Promise<ReadonlyMap<string, GoverningPolicy>> {
  const byId = new Map<string, GoverningPolicy>();
  const pages = everyPage((cursor) => client.ask(policyRoutes.listPolicies, { query: { limit, cursor } }));
  for await (const { policies } of pages)
    for (const { id, mode, enabled } of policies) byId.set(id, { id, mode, enabled });
  return byId;
}

/** The ids of policies by what they are bound to. */
async function assignments(client: ControlClient): Promise<ReadonlyMap<string, string>> {
  const bound = new Map<string, string>();
  const pages = everyPage((cursor) =>
    client.ask(assignmentRoutes.listAssignments, { query: { limit, cursor } }),
  );
  for await (const { policy_assignments } of pages)
    for (const { policy_id, agent_id: agent, namespace_id: namespace } of policy_assignments)
      bound.set(agent === null ? `namespace ${namespace ?? ""}` : `agent ${agent}`, policy_id);
  return bound;
}

/** The mode of an agent's calls, in a word or two. */
export function modeText(governing: Governing): string {
  switch (governing.kind) {
    case "policy":
      return governing.policy.mode;
    case "none":
      return "no policy";
    case "unknown":
      return "not known";
  }
}

type KillSwitch = JsonAnswerOf<typeof killSwitchRoutes.listKillSwitches>["body"]["kill_switches"][number];

/** The active switches that stop an agent as a whole: on everything, on its namespace, and on itself. */
export type AgentSwitches = (agent: {
  readonly id: string;
  readonly namespace: string;
}) => readonly KillSwitch[];

export async function readAgentSwitches(client: ControlClient): Promise<AgentSwitches> {
  const byTarget = new Map<string, KillSwitch[]>();
  const query = { status: "active", limit: String(MAX_PAGE_SIZE) };
  const pages = everyPage((cursor) =>
    client.ask(killSwitchRoutes.listKillSwitches, { query: { ...query, cursor } }),
  );
  for await (const { kill_switches } of pages)
    for (const one of kill_switches) {
      const key = one.account_wide ? "global" : `${one.scope} ${one.target_id ?? ""}`;
      byTarget.set(key, [...(byTarget.get(key) ?? []), one]);
    }
  return ({ id, namespace }) =>
    ["global", `namespace ${namespace}`, `agent ${id}`].flatMap((key) => byTarget.get(key) ?? []);
}
