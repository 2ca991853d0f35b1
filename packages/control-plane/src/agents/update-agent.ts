import type { AgentUpdate } from "@svc/contract/agent";
import type { Principal } from "@svc/contract/principal";
import { refuseLookAlike } from "../names/refuse-look-alike.ts";
import type { Outcome } from "../refusal.ts";
import type { AgentPorts } from "./agent-ports.ts";
import { answerChange, type ChangedAgent, changeAgent } from "./change-agent.ts";
import { logAgent } from "./log-agent.ts";

/** Changes what the request names. Another namespace governs every call that is answered afterwards. */
export async function updateAgent(
  ports: AgentPorts,
  principal: Principal,
  { id, update }: { readonly id: string; readonly update: AgentUpdate },
): Promise<Outcome<ChangedAgent>> {
  const { namespace } = update;
  const alike =
    namespace === undefined
      ? null
      : refuseLookAlike(ports, principal, { field: "namespace", scope: "namespace", name: namespace });
  if (alike !== null) return alike;
  const applied = await changeAgent(ports, principal, id, (before) => ({
    kind: "change",
    agent: { ...before, ...named(update) },
    facts: { action: "updated" },
  }));
  if (applied.kind === "problem") return applied;
  if (applied.kind === "same") throw new Error("an update always changes the version");
  logAgent(ports.log, "agent updated", { principal, agent: applied.agent });
  return { kind: "ok", value: await answerChange(ports, principal, applied) };
}

/** The members that the request has. */
function named(update: AgentUpdate): {
  readonly [Name in keyof AgentUpdate]: NonNullable<unknown> & AgentUpdate[Name];
} {
  return Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined));
}
