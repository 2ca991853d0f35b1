import { adapterEnvironment, adapterSettings } from "@svc/decision-client/adapter-environment";
import { createDecisionClient } from "@svc/decision-client/decision-client";
import { readEnvironment } from "@svc/environment/read-environment";
import { createEdgeServer } from "@svc/http-edge/edge-server";
import { listen } from "@svc/http-edge/listen";
import { pino } from "pino";
import { createCheckgw } from "./checkgw.ts";
import { checkgwEnvironment } from "./checkgw-environment.ts";
import { ANSWER_MARGIN_MS } from "./checkgw-settings.ts";
import { createGuardrail } from "./guardrail/guardrail.ts";
import { GuardrailThread } from "./guardrail/guardrail-thread.ts";
import { GUARDRAIL_BUDGET_MS } from "./guardrail/limits.ts";

export interface RunningCheckgw {
  /** `http://host:port` of the adapter. */
  readonly url: string;
  /** Requests in flight still get their verdict. */
  close(): Promise<void>;
}

/** Starts the adapter with what the environment says. @throws naming the variable or the address at fault. */
export async function startCheckgw(
  env: Readonly<Record<string, string | undefined>>,
): Promise<RunningCheckgw> {
  const values = readEnvironment({ ...adapterEnvironment, ...checkgwEnvironment }, env);
  const { client, identity } = adapterSettings(values);
  const logger = pino({ name: "svc-checkgw", level: values.SVC_LOG_LEVEL });
  const decisions = createDecisionClient(client, {
    monotonicMs: () => performance.now(),
    onFault: ({ reason, reason_code }) =>
      logger.warn({ reason_code, gateway: client.gatewayUrl.origin }, reason),
  });
  const budgetMs = Math.min(client.timeoutMs, GUARDRAIL_BUDGET_MS);
  const settings = {
    identity,
    strictShaping: values.SVC_SHAPING_STRICT,
    decisionTimeoutMs: client.timeoutMs,
  };
  const thread = new GuardrailThread({
    settings: { ...client, gatewayUrl: client.gatewayUrl.href, timeoutMs: budgetMs, fixed: identity },
    onFault: ({ reason, reason_code, decision_id }) =>
      logger.warn({ reason_code, decision_id, gateway: client.gatewayUrl.origin }, reason),
    onLost: (reason) => logger.error({ reason }, "the judging thread was lost and is replaced"),
  });
  const guardrail = createGuardrail({
    thread,
    budgetMs,
    monotonicMs: () => performance.now(),
    onDefect: (error) => logger.error({ err: error }, "a guardrail request could not be judged"),
  });
  const server = createEdgeServer({
    handle: createCheckgw({ settings, decide: decisions.decide, guardrail, logger }),
    onError: (error) => logger.error({ err: error }, "a request failed"),
  });
  const listening = await listen(server, values.SVC_CHECKGW_LISTEN);
  logger.info({ url: listening.url, gateway: client.gatewayUrl.origin }, "svc-checkgw listens");
  if (!isLoopback(listening.host)) {
    logger.warn({ host: listening.host }, "not a loopback address: whoever reaches it speaks as the proxy");
  }
  return {
    url: listening.url,
    close: async () => {
      await listening.close(client.timeoutMs + ANSWER_MARGIN_MS);
      await Promise.all([decisions.close(), thread.close()]);
    },
  };
}

function isLoopback(host: string): boolean {
  return host === "::1" || host.startsWith("127.");
}
