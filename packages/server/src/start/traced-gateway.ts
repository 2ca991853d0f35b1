import type { Verdict } from "@svc/contract/verdict";
import { maskSecretsInIdentifier } from "@svc/engine/mask-secrets";
import type { Gateway } from "@svc/gateway/gateway";
import type { ReceivedCall } from "@svc/gateway/pending-call";
import type { SpanAttributes, Telemetry } from "@svc/telemetry/telemetry";
import { verdictAttributes } from "@svc/telemetry/verdict-attributes";

/**
 * The gateway with a span for each call. The row of a call names the trace of its span, so each leads to the
 * other. Without telemetry it is the gateway itself.
 */
export function tracedGateway(gateway: Gateway, telemetry: Telemetry | null): Gateway {
  if (telemetry === null) return gateway;
  const traced = async <V extends Verdict | null>(
    received: ReceivedCall,
    decide: (call: ReceivedCall) => Promise<V>,
  ): Promise<V> => {
    const span = telemetry.begin({ name: "svc.decide", kind: "server", parent: received.trace ?? null });
    if (span === null) return decide(received);
    const verdict = await decide({ ...received, trace: span.trace });
    span.end(() => {
      const { attributes, fault } = verdict === null ? KEY_USED : verdictAttributes(verdict);
      return { attributes: { ...callAttributes(received), ...attributes }, fault };
    });
    return verdict;
  };
  return {
    ...gateway,
    execute: (received) => traced(received, (call) => gateway.execute(call)),
    executeOnce: (received, named) => traced(received, (call) => gateway.executeOnce(call, named)),
  };
}

/** The idempotency key of the call was used with another body before. */
const KEY_USED = { attributes: { "error.type": "idempotency_conflict" }, fault: null };

/** The names of a call as its row has them: secrets are masked. Its arguments are in the row alone. */
function callAttributes({ principal, request }: ReceivedCall): SpanAttributes {
  const { agent_id, session_id, tool, namespace } = request;
  return {
    "svc.org": principal.org,
    "svc.principal": principal.id,
    "gen_ai.agent.id": maskSecretsInIdentifier(agent_id),
    "gen_ai.tool.name": maskSecretsInIdentifier(tool),
    ...(session_id === null ? {} : { "gen_ai.conversation.id": maskSecretsInIdentifier(session_id) }),
    ...(namespace === null ? {} : { "svc.namespace": maskSecretsInIdentifier(namespace) }),
  };
}
