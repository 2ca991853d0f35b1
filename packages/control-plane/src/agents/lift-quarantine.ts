import type { Principal } from "@svc/contract/principal";
import type { QuarantineLift } from "@svc/contract/quarantine";
import type { Outcome } from "../refusal.ts";
import type { AgentPorts } from "./agent-ports.ts";
import { answerChange, type ChangedAgent, changeAgent } from "./change-agent.ts";
import { logAgent } from "./log-agent.ts";

/** Ends a quarantine. Lifting one that has ended changes nothing. */
export async function liftQuarantine(
  ports: AgentPorts,
  principal: Principal,
  { id, lift }: { readonly id: string; readonly lift: QuarantineLift },
): Promise<Outcome<ChangedAgent>> {
  const { reason, lifted_by: actor } = lift;
  const applied = await changeAgent(ports, principal, id, (agent) =>
    agent.quarantine === null
      ? { kind: "same" }
      : {
          kind: "change",
          agent: { ...agent, quarantine: null },
          facts: { action: "quarantine_lifted", reason, actor },
        },
  );
  if (applied.kind === "problem") return applied;
  const { agent } = applied;
  if (applied.kind === "changed") logAgent(ports.log, "quarantine lifted", { principal, agent });
  return { kind: "ok", value: await answerChange(ports, principal, applied) };
}
