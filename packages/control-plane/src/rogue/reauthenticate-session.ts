import type { Reauthentication, SupervisionAnswer } from "@svc/contract/heartbeat";
import { ANONYMOUS, type Principal } from "@svc/contract/principal";
import { refuseBinding } from "@svc/contract/refuse-binding";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import { agentStepRow } from "./agent-step-row.ts";
import { supervisionAnswer } from "./supervision-answer.ts";

export type ReauthenticationPorts = Pick<
  ControlPlanePorts,
  "clock" | "log" | "supervision" | "rogueSettings"
>;

const NOT_NOTED = "The store did not confirm the re-authentication. Send it again; repeating is safe.";

/**
 * Notes that the agent proved who it is. Only a key that names the agent proves that. While authentication is
 * off nobody can prove it, and everybody is taken for the agent.
 */
export async function reauthenticateSession(
  ports: ReauthenticationPorts,
  principal: Principal,
  { agent_id: agentId, session_id: sessionId }: Reauthentication & { readonly agent_id: string },
): Promise<Outcome<SupervisionAnswer>> {
  const { org, id } = principal;
  if (id !== ANONYMOUS && principal.agents === null) return refuse("forbidden", unbound(id, agentId));
  const name = { org, agentId, sessionId };
  const found = await callStore(ports, NOT_READ, () => ports.supervision.session(name));
  if (found.kind === "problem") return found;
  const namespace = found.value?.namespace ?? null;
  const bound = refuseBinding({ ...principal, namespaces: null }, { agent_id: agentId, namespace });
  if (bound !== null) return { kind: "problem", problem: bound };
  if (found.value === null || found.value.endedAtMs !== null) return refuseUnsupervised(agentId, sessionId);
  if (found.value.severity === "EMERGENCY") return refuse("conflict", terminated(agentId, sessionId));
  const row = { org, principal: id, time: ports.clock.now().toISOString(), namespace: found.value.namespace };
  const step = { action: "reauthenticated", agent_id: agentId, session_id: sessionId } as const;
  const auditRow = agentStepRow({ ...row, ...step, reason: null, actor: null });
  const noted = await callStore(ports, NOT_NOTED, () =>
    ports.supervision.reauthenticate({ ...name, auditRow }),
  );
  if (noted.kind === "problem") return noted;
  if (noted.value.kind === "not_found") return refuseUnsupervised(agentId, sessionId);
  ports.log.info({ org, agent_id: agentId, session_id: sessionId, principal: id }, "agent re-authenticated");
  return { kind: "ok", value: supervisionAnswer(ports, noted.value.session) };
}

function unbound(id: string, agentId: string): string {
  const agents = JSON.stringify([agentId]);
  return (
    `Key ${id} is not bound to an agent, so it does not prove that agent ${agentId} sent this. ` +
    `Use a key whose agents name ${agentId}: POST keys {"role":"agent","agents":${agents},...}.`
  );
}

function terminated(agentId: string, sessionId: string): string {
  return (
    `Session ${sessionId} of agent ${agentId} was terminated. Only an operator ends that: ` +
    `POST agents/${encodeURIComponent(agentId)}/reregister.`
  );
}

export function refuseUnsupervised(agentId: string, sessionId: string): Refusal {
  return refuse(
    "not_found",
    `Session ${sessionId} of agent ${agentId} is not supervised. Supervision starts with ` +
      `POST agents/${encodeURIComponent(agentId)}/heartbeat {"session_id":${JSON.stringify(sessionId)}}.`,
  );
}
