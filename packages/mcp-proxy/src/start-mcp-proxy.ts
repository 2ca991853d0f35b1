import { randomBytes } from "node:crypto";
import { adapterEnvironment, adapterSettings } from "@svc/decision-client/adapter-environment";
import { connectGateway } from "@svc/decision-client/connect-gateway";
import { registerBuildInfo } from "@svc/http-edge/build-info";
import { openGate, registerConnectionMetrics } from "@svc/http-edge/connections/open-gate";
import { TRUSTED_PROXIES_VARIABLE } from "@svc/http-edge/connections/trusted-proxies";
import { createEdgeServer, type EdgeServerOptions } from "@svc/http-edge/edge-server";
import { allowedHosts, type HostNames } from "@svc/http-edge/host-check";
import { listen } from "@svc/http-edge/listen";
import { serveMetrics } from "@svc/http-edge/serve-metrics";
import { edgeTls } from "@svc/http-edge/tls/edge-tls";
import { type ListenerTls, openListenerTls } from "@svc/http-edge/tls/listener-tls";
import type { EnvironmentValues } from "@svc/process/environment-table";
import { createLimitedWarnings } from "@svc/process/limited-warnings";
import { createLogOutput } from "@svc/process/log-output";
import { logStart } from "@svc/process/log-start";
import { readEnvironment } from "@svc/process/read-environment";
import { VERSION } from "@svc/process/version";
import { warnOfOpenListener } from "@svc/process/warn-of-open-listener";
import { openTelemetry } from "@svc/telemetry/open-telemetry";
import { telemetryEnvironment } from "@svc/telemetry/telemetry-environment";
import { tracedDecide } from "@svc/telemetry/traced-decide";
import { hintSession } from "@svc/tool-calls/session-hint";
import { type Logger, pino } from "pino";
import { Registry } from "prom-client";
import { createJudge } from "./calls/judge.ts";
import { SESSION_HINT } from "./calls/session-hint.ts";
import { startKillWatch } from "./kills/kill-watch.ts";
import { createNewsOutage } from "./kills/news-outage.ts";
import { RunningCalls } from "./kills/running-calls.ts";
import { createSwitchFeed } from "./kills/switch-feed.ts";
import { CLOSE_GRACE_MS, LAST_ANSWERS_MS } from "./limits.ts";
import { createMcpProxy } from "./mcp-proxy.ts";
import { mcpProxyEnvironment } from "./mcp-proxy-environment.ts";
import type { McpProxySettings } from "./mcp-proxy-settings.ts";
import { createMemory } from "./memory/memory.ts";
import { openPinFile, type PinFile } from "./memory/pin-file.ts";
import { PendingAnswers } from "./relay/pending-answers.ts";
import { createReporter, type McpProxyReporter } from "./reporter.ts";
import { createMcpServer } from "./upstream/mcp-server.ts";
import { createUpstream } from "./upstream/upstream.ts";

export interface RunningMcpProxy {
  /** `http://host:port`, or with `https`, of the proxy. */
  readonly url: string;
  /** The address of /metrics; null when it is not served. */
  readonly metricsUrl: string | null;
  /** Running calls get CLOSE_GRACE_MS to finish, then an answer from the proxy. Streams end. */
  close(): Promise<void>;
}

const table = { ...adapterEnvironment, ...telemetryEnvironment, ...mcpProxyEnvironment };

/** Starts the proxy from the environment. @throws Error that names the variable or the address at fault */
export async function startMcpProxy(
  env: Readonly<Record<string, string | undefined>>,
): Promise<RunningMcpProxy> {
  const values = readEnvironment(table, env);
  const { client, identity, heartbeat } = adapterSettings(values);
  const settings = settingsOf(values, identity);
  const logger = openLog(values, env);
  const tls = openListenerTls(values, "SVC_MCP_TLS", logger);
  const gateway = connectGateway({ client, heartbeat }, logger);
  const { registry, reporter } = startReporting(logger, () => running.callCount);
  const telemetry = await openTelemetry({ values, serviceName: "svc-mcp-proxy", registry, log: logger });
  const running = new RunningCalls({ monotonicMs, onKilled: (latencyMs) => reporter.killed(latencyMs) });
  const feed = createSwitchFeed(client);
  const watch = startKillWatch({ feed, running, monotonicMs, outage: createNewsOutage(logger) });
  const pins = pinFileOf(values.SVC_MCP_TOOL_PINS_FILE, logger);
  const pending = new PendingAnswers();
  const upstream = createUpstream(settings.upstream);
  const handle = createMcpProxy({
    settings,
    reporter,
    judge: createJudge({
      ...gateway,
      decide: tracedDecide(hintSession(gateway.decide, SESSION_HINT), telemetry),
      lookForSwitch: (killSwitchId) => watch.lookFor(killSwitchId),
      reporter,
      monotonicMs,
    }),
    killState: (scope) => watch.stateOf(scope),
    running,
    ...createMemory({ monotonicMs, reporter, pins }),
    server: createMcpServer({ url: settings.upstream, upstream, pseudonym: newPseudonym() }),
    pending,
  });
  const guards = connectionGuards({ values, tls, logger, registry });
  const server = createEdgeServer({ handle, ...guards, onError: (error) => reporter.defect(error) });
  const scraped = { variable: "SVC_MCP_METRICS_LISTEN", names: hostNamesOf(values), log: logger };
  const metrics = await serveMetrics(values.SVC_MCP_METRICS_LISTEN, registry, scraped);
  const closeParts = (): Promise<void> =>
    closeInTurn([metrics, watch, feed, upstream, gateway, telemetry], pins);
  const listening = await listen(server, values.SVC_MCP_LISTEN).catch(async (error: unknown) => {
    await closeParts();
    throw error;
  });
  warnOfDirectClients(values, tls, logger);
  const metricsUrl = metrics?.url ?? null;
  const { url } = listening;
  logger.info({ url, metrics: metricsUrl, upstream: settings.upstream.origin }, "svc-mcp-proxy listens");
  return {
    url,
    metricsUrl,
    close: async () => {
      const stop = setTimeout(() => pending.stopAll(settings.denyAs), CLOSE_GRACE_MS);
      await listening.close(CLOSE_GRACE_MS + LAST_ANSWERS_MS);
      clearTimeout(stop);
      await closeParts();
    },
  };
}

function openLog(values: EnvironmentValues<typeof table>, env: NodeJS.ProcessEnv): Logger {
  const output = createLogOutput(values.SVC_LOG_FORMAT);
  const logger = pino({ name: "svc-mcp-proxy", level: values.SVC_LOG_LEVEL }, output);
  logStart(logger, table, env);
  return logger;
}

function connectionGuards(parts: {
  readonly values: EnvironmentValues<typeof table>;
  readonly tls: ListenerTls | null;
  readonly logger: Logger;
  readonly registry: Registry;
}): Pick<EdgeServerOptions, "gate" | "tls"> {
  const warn = createLimitedWarnings(parts.logger);
  const gate = openGate({ trustedProxies: parts.values.SVC_TRUSTED_PROXIES, warn });
  registerConnectionMetrics(parts.registry, gate);
  return { gate, tls: edgeTls(parts.tls, warn) };
}

/** A named proxy in front says that TLS ends there. */
function warnOfDirectClients(
  values: EnvironmentValues<typeof table>,
  tls: ListenerTls | null,
  logger: Logger,
): void {
  if (tls?.kind === "mutual" || values.SVC_TRUSTED_PROXIES !== TRUSTED_PROXIES_VARIABLE.fallback) return;
  const agent = values.SVC_AGENT_ID ?? "that it names";
  const how = tls === null ? ", over plain HTTP" : "";
  const risk = `any client that reaches it calls tools as the agent ${agent}${how}`;
  const fix =
    tls === null
      ? "Set SVC_MCP_TLS_CERT_FILE and its key, or put TLS in front of it, and name that proxy in " +
        "SVC_TRUSTED_PROXIES"
      : "Set SVC_MCP_TLS_CLIENT_CA_FILE beside certificate and key";
  const { host } = values.SVC_MCP_LISTEN;
  warnOfOpenListener({ variable: "SVC_MCP_LISTEN", host, risk, fix }, logger);
}

/** The proxy's name in Via. It differs between processes, so a request that has it was sent by this one. */
function newPseudonym(): string {
  return `svc-mcp-proxy-${randomBytes(8).toString("hex")}`;
}

function startReporting(
  logger: Logger,
  runningCalls: () => number,
): { readonly registry: Registry; readonly reporter: McpProxyReporter } {
  const registry = new Registry();
  registerBuildInfo(registry, { program: "svc-mcp-proxy", version: VERSION });
  const warn = createLimitedWarnings(logger);
  return { registry, reporter: createReporter({ logger, warn, registry, runningCalls }) };
}

interface Closing {
  close(graceMs: number): Promise<void>;
}

async function closeInTurn(parts: readonly (Closing | null)[], pins: PinFile | null): Promise<void> {
  for (const part of parts) await part?.close(CLOSE_GRACE_MS);
  await pins?.settled();
}

function settingsOf(
  values: EnvironmentValues<typeof table>,
  identity: McpProxySettings["identity"],
): McpProxySettings {
  const upstream = values.SVC_MCP_UPSTREAM_URL;
  if (upstream === null)
    throw new Error("SVC_MCP_UPSTREAM_URL: expected the http:// or https:// address of the MCP server");
  return {
    upstream,
    mcpId: values.SVC_MCP_ID,
    passPaths: values.SVC_MCP_PASS_PATHS,
    identity,
    strict: values.SVC_MCP_STRICT,
    denyAs: values.SVC_MCP_DENY_AS,
    metaSession: values.SVC_MCP_META_SESSION,
    sessionFallback: values.SVC_MCP_SESSION_FALLBACK,
    approval: values.SVC_MCP_APPROVAL,
    toolPinning: values.SVC_MCP_TOOL_PINNING,
    allowedHosts: allowedHosts(hostNamesOf(values), values.SVC_MCP_LISTEN.host),
    upstreamTimeoutMs: values.SVC_MCP_UPSTREAM_TIMEOUT_MS,
  };
}

function hostNamesOf({ SVC_MCP_ALLOWED_HOSTS: names }: EnvironmentValues<typeof table>): HostNames {
  return { names, variable: "SVC_MCP_ALLOWED_HOSTS" };
}

function pinFileOf(path: string | null, logger: Logger): PinFile | null {
  if (path === null) return null;
  try {
    return openPinFile(path, (error) => logger.warn({ err: error }, "SVC_MCP_TOOL_PINS_FILE is not written"));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`SVC_MCP_TOOL_PINS_FILE ${JSON.stringify(path)}: ${why}`, { cause: error });
  }
}

function monotonicMs(): number {
  return performance.now();
}
