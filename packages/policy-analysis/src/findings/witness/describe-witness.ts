import type { Decision } from "@svc/contract/verdict";
import type { GovernedCall } from "@svc/engine/evaluation";
import type { Witness } from "@svc/engine/witness";
import { formatUsd } from "@svc/text/usd";
import { NO_USE, plainCall } from "./draft-call.ts";

export function witnessOf(call: GovernedCall, decision: Decision): Witness {
  const { agentId, sessionId, namespace, tool, args, timeMs, context } = call;
  const usage = context.usage ?? NO_USE;
  return {
    call: {
      agent_id: agentId,
      session_id: sessionId,
      namespace,
      tool,
      args,
      session: { steps: usage.steps, cost_usd: formatUsd(usage.costMicroUsd) },
      time: new Date(timeMs).toISOString(),
    },
    decision,
  };
}

/** As `payments.refund {"amount":501} -> allow`. Other names of the call follow if they are unusual. */
export function describeWitness({ call, decision }: Witness): string {
  const usual = witnessOf(plainCall(call.tool), decision).call;
  const { session, time } = call;
  const context = [
    ...(["agent_id", "session_id", "namespace"] as const).flatMap((name) =>
      call[name] === usual[name] ? [] : [`${name} ${call[name] ?? "none"}`],
    ),
    ...(session.steps === 0 && session.cost_usd === usual.session.cost_usd
      ? []
      : [`after ${String(session.steps)} steps and ${session.cost_usd} USD`]),
    ...(time === usual.time ? [] : [`at ${time}`]),
  ];
  const beside = context.length === 0 ? "" : ` (${context.join(", ")})`;
  return `${call.tool} ${JSON.stringify(call.args)}${beside} -> ${decision}`;
}
