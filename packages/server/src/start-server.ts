import type { IndexPlace } from "@svc/audit-index/index-jobs";
import { openAuditIndex } from "@svc/audit-index/open-audit-index";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { createEdgeServer } from "@svc/http-edge/edge-server";
import { listen } from "@svc/http-edge/listen";
import { CompilerThread } from "@svc/policy-compiler/compiler-thread";
import { ReplayerThread } from "@svc/policy-compiler/replayer-thread";
import { SimulatorThread } from "@svc/policy-compiler/simulator-thread";
import { systemClock } from "@svc/process/clock";
import { ShutdownStack } from "@svc/process/shutdown-stack";
import type { Logger } from "pino";
import { openDataDirectory } from "./data-directory.ts";
import { localPropagation } from "./local-propagation.ts";
import { openStore } from "./open-store.ts";
import type { OnVerdict } from "./print-decisions.ts";
import { routeRequests } from "./route-requests.ts";
import { openServerParts } from "./server-parts.ts";
import type { ServerSettings } from "./settings.ts";
import { startControlRole } from "./start-control-role.ts";
import { startGatewayRole } from "./start-gateway-role.ts";

/** Milliseconds that requests in flight have to finish at shutdown: longer than the slowest decision. */
const SHUTDOWN_GRACE_MS = 5_000;

export interface RunningServer {
  /** `http://host:port` of the gateway and control endpoints. */
  readonly url: string;
  readonly controlPlane: ControlPlanePorts;
  /** Resolves when the compiler has tried every policy that the start found at least once. */
  untilPoliciesLoaded(): Promise<void>;
  /** Answers the requests in flight, signs a last checkpoint and closes the store. */
  close(): Promise<void>;
}

export interface StartOptions {
  readonly settings: ServerSettings;
  readonly log: Logger;
  /** Called with the path of the file that holds a new admin key. The key itself is not passed on. */
  readonly onAdminKey: (path: string) => void;
  /** Called with each verdict before it is sent, to print it. */
  readonly onVerdict?: OnVerdict | undefined;
}

/**
 * Starts everything that one process serves. @throws naming the part that could not be opened; nothing is
 * left running then.
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  // Only the service's own user may read rows, keys and checkpoints. Database libraries choose the modes of
  // their files themselves, so the process sets its mask.
  process.umask(0o077);
  const running = new ShutdownStack();
  try {
    return await startRoles(options, running);
  } catch (error) {
    // The operator needs the reason why the start failed. A fault while closing must not replace it.
    await running.close().catch(() => undefined);
    throw error;
  }
}

/** The role `all`: a gateway and a control plane over one store, one log and one follower. */
async function startRoles(options: StartOptions, running: ShutdownStack): Promise<RunningServer> {
  const { settings, log, onVerdict } = options;
  const directory = await openDataDirectory({
    path: settings.dataDir,
    gatewayId: settings.gatewayId,
    onDamage: (damage) =>
      log.warn({ ...damage }, "lines of the checkpoint file are damaged and were skipped"),
  });
  const compiler = new CompilerThread({ log });
  running.add(compiler);
  const simulator = new SimulatorThread({ log });
  running.add(simulator);
  const replayer = new ReplayerThread({ log });
  running.add(replayer);
  const store = await openStore(settings, directory);
  running.add(store);
  const auditIndex = openAuditIndex({ place: indexPlace(settings), log });
  running.add(auditIndex);
  const threads = { compiler, simulator, replayer };
  const parts = await openServerParts({ ...options, ...threads, directory, store, auditIndex });
  const { follower, logWriter, registry, authenticators, followedKeys, noteRefusal } = parts;
  running.add(logWriter);
  const gatewayRole = await startGatewayRole(parts, onVerdict);
  running.add(gatewayRole);
  const { gateway } = gatewayRole;
  follower.start();
  running.add({ close: async () => follower.stop() });
  const { gatewayId } = directory;
  const controlRole = await startControlRole(
    parts,
    localPropagation({ gatewayId, gateway, followedKeys, clock: systemClock }),
  );
  running.add(controlRole);
  const hostCheck = settings.authentication === "off" ? authenticators.verified : null;
  const server = createEdgeServer({
    handle: routeRequests({ ...gatewayRole, ...controlRole, followedKeys, store, registry, hostCheck }),
    onError: (error, requestId) => log.error({ err: error, request_id: requestId }, "a request failed"),
    encodedSlash: "in_segment",
    onRefused: ({ code, request_id: requestId = null }) => noteRefusal({ code, requestId, request: null }),
  });
  // The start may have taken longer than the lease. The first request must not be refused for that.
  await followedKeys?.catchUp();
  const listening = await listen(server, settings.listen);
  running.add({ close: () => listening.close(SHUTDOWN_GRACE_MS) });
  // Streams end first: a request that never ends by itself would use up the grace of the others.
  running.add(controlRole.eventStreams);
  // The threads start after the listener, because a start beside them takes the time of both.
  compiler.start();
  auditIndex.start();
  gatewayRole.startThreads();
  return {
    url: listening.url,
    controlPlane: controlRole.controlPlane,
    untilPoliciesLoaded: () => gateway.untilPoliciesLoaded(),
    close: () => running.close(),
  };
}

/** The index stands beside the store. */
function indexPlace({ databaseUrl: url, dataDir }: ServerSettings): IndexPlace {
  return url === null ? { kind: "sqlite", dataDir } : { kind: "postgres", url };
}
