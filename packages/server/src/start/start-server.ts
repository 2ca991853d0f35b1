import type { Server } from "node:http";
import { gatewayRoutes } from "@svc/api/gateway-routes";
import { fullPaths } from "@svc/api/match-path";
import { serveWeb } from "@svc/http-api/web-app";
import { SERVER_CONNECTIONS } from "@svc/http-edge/connections/connection-limits";
import { openGate, registerConnectionMetrics } from "@svc/http-edge/connections/open-gate";
import { createEdgeServer } from "@svc/http-edge/edge-server";
import { Lane, type LaneOptions } from "@svc/http-edge/lane/lane";
import { type Listening, listen } from "@svc/http-edge/listen";
import { edgeTls } from "@svc/http-edge/tls/edge-tls";
import { type ListenerTls, openListenerTls } from "@svc/http-edge/tls/listener-tls";
import { createLimitedWarnings } from "@svc/process/limited-warnings";
import { ShutdownStack } from "@svc/process/shutdown-stack";
import { nodeTimers } from "@svc/process/timers";
import { openDataDirectory } from "../files/data-directory.ts";
import { registerLaneMetrics } from "../metrics/lane-metrics.ts";
import { waitingApp } from "../routes/waiting-endpoints.ts";
import type { ServerSettings } from "../settings/settings.ts";
import { warnOfExposure } from "../settings/warn-of-exposure.ts";
import { openOutbound } from "./open-outbound.ts";
import { type RolesOptions, type StartedRoles, startRoles } from "./start-roles.ts";
import { startWhenReachable, type WaitingStart } from "./start-when-reachable.ts";

/** Milliseconds that requests in flight have to finish at shutdown: longer than the slowest decision. */
const SHUTDOWN_GRACE_MS = 5_000;

export interface RunningServer {
  /** `http://host:port`, or with `https`, of the gateway and control endpoints. */
  readonly url: string;
  /** Resolves when the database was reached and the roles run. Rejects when they cannot run. */
  readonly roles: Promise<Pick<StartedRoles, "controlPlane" | "untilPoliciesTried">>;
  /** Answers the requests in flight, signs a last checkpoint and closes the store. */
  close(): Promise<void>;
}

export interface StartOptions extends Omit<RolesOptions, "directory" | "outbound"> {
  /** Called when the database was reached after the start, and the roles then cannot run. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Starts everything that one process serves. While its PostgreSQL cannot be reached, the process denies every
 * call and tries again. @throws naming the part that could not be opened; nothing is left running then.
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { settings, log } = options;
  // Only the service's own user may read rows, keys and checkpoints. Database libraries choose the modes of
  // their files themselves, so the process sets its mask.
  process.umask(0o077);
  warnOfExposure(settings, log);
  const directory = await openDataDirectory({
    path: settings.dataDir,
    gatewayId: settings.gatewayId,
    onDamage: (damage) =>
      log.warn({ ...damage }, "lines of the checkpoint file are damaged and were skipped"),
  });
  const outbound = openOutbound(settings.outbound, log);
  const tls = openListenerTls(settings.tls, "SVC_TLS", log);
  const start = () => startRoles({ ...options, directory, outbound });
  const starting = await startWhenReachable({ start, timers: nodeTimers, log });
  try {
    return await serve({ ...options, tls }, starting);
  } catch (error) {
    await starting.first?.close().catch(() => undefined);
    throw error;
  }
}

async function serve(
  { settings, log, onFailure, tls }: StartOptions & { readonly tls: ListenerTls | null },
  starting: WaitingStart<StartedRoles>,
): Promise<RunningServer> {
  let roles = starting.first;
  const onError = (error: unknown, requestId?: string): void =>
    log.error({ err: error, request_id: requestId }, "a request failed");
  const warn = createLimitedWarnings(log);
  const { trustedProxies } = settings;
  const gate = openGate({ limits: SERVER_CONNECTIONS, trustedProxies, warn });
  const answerWhileWaiting = serveWeb(waitingApp(), log);
  const server = createEdgeServer({
    gate,
    tls: edgeTls(tls, warn),
    provenBy: "key",
    handle: (request, response) => (roles?.handle ?? answerWhileWaiting)(request, response),
    onError,
    encodedSlash: "in_segment",
    onRefused: ({ code, request_id: requestId = null }) =>
      roles?.noteRefusal({ code, requestId, request: null }),
  });
  const lane =
    tls !== null ? null : openLane(settings, { server, handle: () => roles?.decide ?? null, onError });
  const listening = await listen(server, settings.listen, lane);
  const take = (started: StartedRoles): void => {
    roles = started;
    started.startIndex();
    registerConnectionMetrics(started.registry, gate);
    if (lane !== null) registerLaneMetrics(started.registry, lane);
  };
  if (roles !== null) take(roles);
  else {
    starting.started.then(take, (error: unknown) => (starting.isStopped ? undefined : onFailure(error)));
  }
  const stop = async (): Promise<void> => {
    log.info({}, "stopping: new connections are refused, and requests in flight are finished");
    await close(starting, listening);
    log.info({}, "stopped");
  };
  return { url: listening.url, roles: starting.started, close: stop };
}

/** Null: Node's parser reads every request, as behind TLS. A process that decides no calls needs no lane. */
function openLane(
  { fastLane, role }: ServerSettings,
  { server, ...options }: Omit<LaneOptions, "paths"> & { readonly server: Server },
): Lane | null {
  if (fastLane === "off" || role === "control") return null;
  return new Lane(server, { ...options, paths: fullPaths(gatewayRoutes.executeCall) });
}

/** Streams end first: a request that never ends by itself would use up the grace of the others. */
async function close(starting: WaitingStart<StartedRoles>, listening: Listening): Promise<void> {
  const running = new ShutdownStack();
  const roles = starting.started.catch(() => null);
  running.add({ close: async () => (await roles)?.close() });
  running.add({ close: () => listening.close(SHUTDOWN_GRACE_MS) });
  running.add({ close: async () => (await roles)?.closeStreams() });
  running.add({ close: () => starting.stop() });
  await running.close();
}
