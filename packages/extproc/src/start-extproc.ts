import { readFileSync } from "node:fs";
import { REQUEST_TIMEOUT_MS } from "@svc/contract/limits";
import { adapterEnvironment, adapterSettings } from "@svc/decision-client/adapter-environment";
import { connectGateway } from "@svc/decision-client/connect-gateway";
import { notingSessions } from "@svc/decision-client/heartbeats";
import { registerBuildInfo } from "@svc/http-edge/build-info";
import { openGate, registerConnectionMetrics } from "@svc/http-edge/connections/open-gate";
import { serveMetrics } from "@svc/http-edge/serve-metrics";
import type { EnvironmentValues } from "@svc/process/environment-table";
import { createLimitedWarnings } from "@svc/process/limited-warnings";
import { createLogOutput } from "@svc/process/log-output";
import { logStart } from "@svc/process/log-start";
import { readEnvironment } from "@svc/process/read-environment";
import { VERSION } from "@svc/process/version";
import { openTelemetry } from "@svc/telemetry/open-telemetry";
import { telemetryEnvironment } from "@svc/telemetry/telemetry-environment";
import { tracedDecide } from "@svc/telemetry/traced-decide";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { type Logger, pino } from "pino";
import { Registry } from "prom-client";
import { createExtproc } from "./extproc.ts";
import { extprocEnvironment } from "./extproc-environment.ts";
import { startGrpcServer } from "./grpc-server.ts";
import { createReporter } from "./reporter.ts";
import { DEFAULT_ROUTES } from "./routes/default-routes.ts";
import type { RouteTable } from "./routes/route-table.ts";
import { MAX_ANSWER_BYTES } from "./shapes/model-answer.ts";
import { openSecurity, warnOfUnknownClients } from "./tls/open-security.ts";

/**
 * Milliseconds after the decision timeout within which a judged message is answered. The proxy in front must
 * wait longer than the sum of both.
 */
const ANSWER_MARGIN_MS = 500;

/**
 * Milliseconds until an answer must have arrived completely. A model may answer slowly, and usually the
 * proxy's own timeout ends the wait. This limit is for a proxy without one.
 */
const MAX_ANSWER_MS = 600_000;

export interface RunningExtproc {
  /** `host:port` that the proxy connects to. */
  readonly address: string;
  /** Of /metrics, when it is served. */
  readonly metricsUrl: string | null;
  /** Denies the pending requests. */
  close(): Promise<void>;
}

const variables = { ...adapterEnvironment, ...telemetryEnvironment, ...extprocEnvironment };

/**
 * Starts the adapter with what the environment says. @throws naming the variable, the file or the
 * address at fault.
 */
export async function startExtproc(
  env: Readonly<Record<string, string | undefined>>,
): Promise<RunningExtproc> {
  const values = readEnvironment(variables, env);
  const { client, identity, heartbeat } = adapterSettings(values);
  const table = await loadRouteTable(values.SVC_EXTPROC_CONFIG);
  const logger = openLog(values, env);
  const security = openSecurity(values, logger);
  const registry = new Registry();
  registerBuildInfo(registry, { program: "svc-extproc", version: VERSION });
  const gateway = connectGateway({ client, heartbeat }, logger);
  const telemetry = await openTelemetry({ values, serviceName: "svc-extproc", registry, log: logger });
  const open = createExtproc({
    table,
    identity,
    fallbackMode: values.SVC_EXTPROC_BODY_MODE,
    maxBytes: { request: MAX_BODY_BYTES, response: MAX_ANSWER_BYTES },
    limits: {
      collectMs: { request: REQUEST_TIMEOUT_MS, response: MAX_ANSWER_MS },
      judgeMs: client.timeoutMs + ANSWER_MARGIN_MS,
    },
    decide: tracedDecide(notingSessions(gateway.decide, gateway.heartbeats), telemetry),
    reportNotExecuted: gateway.reports.notExecuted,
    reporter: createReporter(logger, registry),
  });
  const names = { names: values.SVC_EXTPROC_ALLOWED_HOSTS, variable: "SVC_EXTPROC_ALLOWED_HOSTS" };
  const scraped = { variable: "SVC_EXTPROC_METRICS_LISTEN", names, log: logger };
  const metrics = await serveMetrics(values.SVC_EXTPROC_METRICS_LISTEN, registry, scraped);
  const { host, port } = values.SVC_EXTPROC_LISTEN;
  warnOfUnknownClients(host, security.kind, logger);
  const gate = openGate({ trustedProxies: values.SVC_TRUSTED_PROXIES, warn: createLimitedWarnings(logger) });
  registerConnectionMetrics(registry, gate);
  const server = await startGrpcServer({ host, port, credentials: security.credentials, gate }, open);
  const address = `${host}:${String(server.port)}`;
  const metricsUrl = metrics?.url ?? null;
  logger.info(
    {
      address,
      security: security.kind,
      metrics: metricsUrl,
      routes: table.routes.length,
      gateway: client.gatewayUrl.origin,
    },
    "svc-extproc listens",
  );
  return {
    address,
    metricsUrl,
    close: async () => {
      security.stop();
      await server.close(client.timeoutMs + ANSWER_MARGIN_MS);
      await metrics?.close(ANSWER_MARGIN_MS);
      await gateway.close();
      await telemetry?.close();
    },
  };
}

function openLog(values: EnvironmentValues<typeof variables>, env: NodeJS.ProcessEnv): Logger {
  const output = createLogOutput(values.SVC_LOG_FORMAT);
  const logger = pino({ name: "svc-extproc", level: values.SVC_LOG_LEVEL }, output);
  logStart(logger, variables, env);
  return logger;
}

/** A reader of YAML takes memory for as long as the process runs, so it is loaded only for a file. */
async function loadRouteTable(path: string | null): Promise<RouteTable> {
  if (path === null) return DEFAULT_ROUTES;
  const { parseRouteTable } = await import("./routes/parse-route-table.ts");
  try {
    return parseRouteTable(readFileSync(path, "utf8"));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`SVC_EXTPROC_CONFIG ${JSON.stringify(path)}: ${why}`, { cause: error });
  }
}
