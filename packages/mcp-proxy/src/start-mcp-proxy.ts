import { randomBytes } from "node:crypto";
import { adapterEnvironment, adapterSettings } from "@svc/decision-client/adapter-environment";
import { createDecisionClient } from "@svc/decision-client/decision-client";
import type { EnvironmentValues } from "@svc/environment/environment-table";
import { readEnvironment } from "@svc/environment/read-environment";
import { createEdgeServer } from "@svc/http-edge/edge-server";
import { listen } from "@svc/http-edge/listen";
import { type Logger, pino } from "pino";
import { createGatewayApi } from "./gateway-api.ts";
import { startKillWatch } from "./kill-watch.ts";
import { CLOSE_GRACE_MS } from "./limits.ts";
import { createMcpProxy } from "./mcp-proxy.ts";
import { mcpProxyEnvironment } from "./mcp-proxy-environment.ts";
import type { McpProxySettings } from "./mcp-proxy-settings.ts";
import { createOutcomeReports } from "./outcome-reports.ts";
import { RunningCalls } from "./running.ts";
import { Sessions } from "./sessions.ts";
import { ToolMirrors } from "./tool-mirrors.ts";
import { createUpstream } from "./upstream.ts";

export interface RunningMcpProxy {
  /** `http://host:port` of the proxy. */
  readonly url: string;
  /** Running calls get CLOSE_GRACE_MS to finish; streams end. */
  close(): Promise<void>;
}

const table = { ...adapterEnvironment, ...mcpProxyEnvironment };

/** Starts the proxy with what the environment says. @throws naming the variable or the address at fault. */
export async function startMcpProxy(
  env: Readonly<Record<string, string | undefined>>,
): Promise<RunningMcpProxy> {
  const values = readEnvironment(table, env);
  const { client, identity } = adapterSettings(values);
  const settings = settingsOf(values, identity);
  const logger = pino({ name: "svc-mcp-proxy", level: values.SVC_LOG_LEVEL });
  const monotonicMs = (): number => performance.now();
  const decisions = createDecisionClient(client, {
    monotonicMs,
    onFault: ({ reason, reason_code }) =>
      logger.warn({ reason_code, gateway: client.gatewayUrl.origin }, reason),
  });
  const api = createGatewayApi(client);
  const running = new RunningCalls();
  const onOutage = (error: unknown): void => tellOutage(logger, error);
  const watch = startKillWatch({ api, running, monotonicMs, onOutage });
  const reports = createOutcomeReports(api, ({ decisionId, status }, error) =>
    logger.warn({ decision_id: decisionId, status, err: error }, "an outcome could not be reported"),
  );
  const upstream = createUpstream(settings.upstream);
  const handle = createMcpProxy({
    settings,
    decide: decisions.decide,
    upstream,
    running,
    sessions: new Sessions(),
    mirrors: new ToolMirrors(),
    killState: (scope) => watch.stateOf(scope),
    reports,
    logger,
    monotonicMs,
    pseudonym: `svc-mcp-proxy-${randomBytes(8).toString("hex")}`,
  });
  const server = createEdgeServer({
    handle,
    onError: (error) => logger.error({ err: error }, "a request failed"),
  });
  const listening = await listen(server, values.SVC_MCP_LISTEN);
  logger.info({ url: listening.url, upstream: settings.upstream.origin }, "svc-mcp-proxy listens");
  return {
    url: listening.url,
    close: async () => {
      await listening.close(CLOSE_GRACE_MS);
      await watch.close();
      await reports.settled();
      upstream.close();
      await api.close();
      await decisions.close();
    },
  };
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
    identity,
    strict: values.SVC_MCP_STRICT,
    denyAs: values.SVC_MCP_DENY_AS,
    allowedHosts: values.SVC_MCP_ALLOWED_HOSTS,
    upstreamTimeoutMs: values.SVC_MCP_UPSTREAM_TIMEOUT_MS,
  };
}

/** While the list cannot be read, running calls go on and nothing can be resumed. */
function tellOutage(logger: Logger, error: unknown): void {
  if (error === null) logger.info("the list of kill switches can be read again");
  else logger.warn({ err: error }, "the list of kill switches cannot be read");
}
