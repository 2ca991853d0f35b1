import {
  type AdapterSettings,
  adapterEnvironment,
  adapterSettings,
} from "@svc/decision-client/adapter-environment";
import { connectHeartbeats } from "@svc/decision-client/connect-heartbeats";
import { createDecisionClient } from "@svc/decision-client/decision-client";
import { notingSessions } from "@svc/decision-client/heartbeats";
import { registerBuildInfo } from "@svc/http-edge/build-info";
import { openGate, registerConnectionMetrics } from "@svc/http-edge/connections/open-gate";
import { createEdgeServer } from "@svc/http-edge/edge-server";
import { allowedHosts } from "@svc/http-edge/host-check";
import { listen } from "@svc/http-edge/listen";
import { serveMetrics } from "@svc/http-edge/serve-metrics";
import { edgeTls } from "@svc/http-edge/tls/edge-tls";
import { type ListenerTls, openListenerTls } from "@svc/http-edge/tls/listener-tls";
import { createLimitedWarnings } from "@svc/process/limited-warnings";
import { createLogOutput } from "@svc/process/log-output";
import { logStart } from "@svc/process/log-start";
import { readEnvironment } from "@svc/process/read-environment";
import { VERSION } from "@svc/process/version";
import { warnOfOpenListener } from "@svc/process/warn-of-open-listener";
import { openTelemetry } from "@svc/telemetry/open-telemetry";
import { telemetryEnvironment } from "@svc/telemetry/telemetry-environment";
import { tracedDecide } from "@svc/telemetry/traced-decide";
import { type Logger, pino } from "pino";
import { Registry } from "prom-client";
import { type CheckgwOptions, createCheckgw } from "./checkgw.ts";
import { checkgwEnvironment } from "./checkgw-environment.ts";
import { ANSWER_MARGIN_MS } from "./checkgw-settings.ts";
import { createGuardrail } from "./guardrail/guardrail.ts";
import { GuardrailThread } from "./guardrail/guardrail-thread.ts";
import { GUARDRAIL_BUDGET_MS } from "./guardrail/limits.ts";
import { type CheckgwReporter, createReporter } from "./reporter.ts";

export interface RunningCheckgw {
  /** `http://host:port`, or with `https`, of the adapter. */
  readonly url: string;
  /** Of /metrics, when it is served. */
  readonly metricsUrl: string | null;
  /** Requests in flight get their verdict first. */
  close(): Promise<void>;
}

const table = { ...adapterEnvironment, ...telemetryEnvironment, ...checkgwEnvironment };

/** Starts the adapter with what the environment says. @throws naming the variable or the address at fault. */
export async function startCheckgw(
  env: Readonly<Record<string, string | undefined>>,
): Promise<RunningCheckgw> {
  const values = readEnvironment(table, env);
  const { client, identity, heartbeat } = adapterSettings(values);
  const logger = pino(
    { name: "svc-checkgw", level: values.SVC_LOG_LEVEL },
    createLogOutput(values.SVC_LOG_FORMAT),
  );
  logStart(logger, table, env);
  const registry = new Registry();
  registerBuildInfo(registry, { program: "svc-checkgw", version: VERSION });
  const reporter = createReporter(logger, registry);
  const hostNames = { names: values.SVC_CHECKGW_ALLOWED_HOSTS, variable: "SVC_CHECKGW_ALLOWED_HOSTS" };
  const telemetry = await openTelemetry({ values, serviceName: "svc-checkgw", registry, log: logger });
  const asking = connect({ client, identity, heartbeat, logger, reporter });
  const decide = tracedDecide(asking.decide, telemetry);
  const settings = {
    identity,
    allowedHosts: allowedHosts(hostNames, values.SVC_CHECKGW_LISTEN.host),
    strictShaping: values.SVC_SHAPING_STRICT,
    decisionTimeoutMs: client.timeoutMs,
  };
  const tls = openListenerTls(values, "SVC_CHECKGW_TLS", logger);
  const warn = createLimitedWarnings(logger);
  const gate = openGate({ trustedProxies: values.SVC_TRUSTED_PROXIES, warn });
  registerConnectionMetrics(registry, gate);
  const server = createEdgeServer({
    gate,
    tls: edgeTls(tls, warn),
    handle: createCheckgw({ settings, ...asking, decide, reporter, monotonicMs }),
    onError: (error) => reporter.defect(error, "a request failed"),
    onRefused: ({ detail }) => reporter.refused("unmatched", "frame", detail),
  });
  const metrics = await serveMetrics(values.SVC_CHECKGW_METRICS_LISTEN, registry, {
    variable: "SVC_CHECKGW_METRICS_LISTEN",
    names: hostNames,
    log: logger,
  });
  const listening = await listen(server, values.SVC_CHECKGW_LISTEN);
  const metricsUrl = metrics?.url ?? null;
  logger.info(
    { url: listening.url, metrics: metricsUrl, gateway: client.gatewayUrl.origin },
    "svc-checkgw listens",
  );
  warnOfUnknownClients(listening.host, tls, logger);
  return {
    url: listening.url,
    metricsUrl,
    close: async () => {
      await listening.close(client.timeoutMs + ANSWER_MARGIN_MS);
      await metrics?.close(ANSWER_MARGIN_MS);
      await asking.close();
      await telemetry?.close();
    },
  };
}

/** Warns of a listener that other machines can reach and that does not authenticate its clients. */
function warnOfUnknownClients(host: string, tls: ListenerTls | null, logger: Logger): void {
  if (tls?.kind === "mutual") return;
  const risk = `any client that reaches it speaks as the proxy${tls === null ? ", over plain HTTP" : ""}`;
  const fix =
    "Let the proxy alone reach it, or set SVC_CHECKGW_TLS_CLIENT_CA_FILE beside certificate and key";
  warnOfOpenListener({ variable: "SVC_CHECKGW_LISTEN", host, risk, fix }, logger);
}

interface Connection extends AdapterSettings {
  readonly logger: Logger;
  readonly reporter: CheckgwReporter;
}

interface Asking extends Pick<CheckgwOptions, "decide" | "guardrail"> {
  close(): Promise<void>;
}

/**
 * The two connections to the gateway: from this thread for /check and /verdict, and from the judging
 * thread for messages.
 */
function connect({ client, identity, heartbeat, logger, reporter }: Connection): Asking {
  const warn = createLimitedWarnings(logger);
  const gateway = client.gatewayUrl.origin;
  const decisions = createDecisionClient(client, {
    monotonicMs,
    onFault: ({ reason, reason_code }) => warn(reason_code, { reason_code, gateway }, reason),
  });
  const heartbeats = connectHeartbeats({ client, heartbeat, warn });
  const budgetMs = Math.min(client.timeoutMs, GUARDRAIL_BUDGET_MS);
  const thread = new GuardrailThread({
    settings: { ...client, gatewayUrl: client.gatewayUrl.href, timeoutMs: budgetMs, fixed: identity },
    onFault: ({ reason, reason_code, decision_id }) =>
      warn(reason_code ?? "outcome", { reason_code, decision_id, gateway }, reason),
    onLost: (reason) => logger.error({ reason }, "the judging thread was lost and is replaced"),
  });
  const guardrail = createGuardrail({
    thread,
    budgetMs,
    monotonicMs,
    onDefect: (error) => reporter.defect(error, "a guardrail request could not be judged"),
  });
  const close = async (): Promise<void> => {
    await heartbeats.close();
    await Promise.all([decisions.close(), thread.close()]);
  };
  return { decide: notingSessions(decisions.decide, heartbeats), guardrail, close };
}

function monotonicMs(): number {
  return performance.now();
}
