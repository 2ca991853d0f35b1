import type { IndexPlace } from "@svc/audit-index/index-jobs";
import { openAuditIndex } from "@svc/audit-index/open-audit-index";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import type { Handle } from "@svc/http-edge/edge-server";
import { CompilerThread } from "@svc/policy-compiler/compiler-thread";
import { ReplayerThread } from "@svc/policy-compiler/replayer-thread";
import { SimulatorThread } from "@svc/policy-compiler/simulator-thread";
import { systemClock } from "@svc/process/clock";
import { ShutdownStack } from "@svc/process/shutdown-stack";
import type { Logger } from "pino";
import type { DataDirectory } from "./data-directory.ts";
import { localPropagation } from "./local-propagation.ts";
import { openStore } from "./open-store.ts";
import type { OnVerdict } from "./print-decisions.ts";
import type { NoteRefusal } from "./refusal-log.ts";
import { routeRequests } from "./route-requests.ts";
import { openServerParts } from "./server-parts.ts";
import type { ServerSettings } from "./settings.ts";
import { startControlRole } from "./start-control-role.ts";
import { startGatewayRole } from "./start-gateway-role.ts";

export interface RolesOptions {
  readonly settings: ServerSettings;
  readonly log: Logger;
  readonly directory: DataDirectory;
  /** Called with the path of the file that holds a new admin key. The key itself is not passed on. */
  readonly onAdminKey: (path: string) => void;
  /** Called with each verdict before it is sent, to print it. */
  readonly onVerdict?: OnVerdict | undefined;
}

/** Everything behind the listener. */
export interface StartedRoles {
  readonly handle: Handle;
  readonly noteRefusal: NoteRefusal;
  readonly controlPlane: ControlPlanePorts;
  /** Resolves when the compiler has tried every policy that the start found at least once. */
  untilPoliciesLoaded(): Promise<void>;
  /** Starts the threads. Call it when the listener stands: a start beside them takes the time of both. */
  startThreads(): void;
  /** Ends the requests that never end by themselves, which would use up the grace of the others. */
  closeStreams(): Promise<void>;
  /** Signs a last checkpoint and closes the store. */
  close(): Promise<void>;
}

/** Starts what the process serves. @throws naming what could not be opened; nothing is left running then. */
export async function startRoles(options: RolesOptions): Promise<StartedRoles> {
  const running = new ShutdownStack();
  try {
    return await openRoles(options, running);
  } catch (error) {
    // The operator needs the reason why the start failed. A fault while closing must not replace it.
    await running.close().catch(() => undefined);
    throw error;
  }
}

/** The role `all`: a gateway and a control plane over one store, one log and one follower. */
async function openRoles(options: RolesOptions, running: ShutdownStack): Promise<StartedRoles> {
  const { settings, log, directory, onVerdict } = options;
  const threads = openThreads(log, running);
  const store = await openStore(settings, directory);
  running.add(store);
  const auditIndex = openAuditIndex({ place: indexPlace(settings), log });
  running.add(auditIndex);
  const parts = await openServerParts({ ...options, ...threads, store, auditIndex });
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
  // The start may have taken longer than the lease. The first request must not be refused for that.
  await followedKeys?.catchUp();
  return {
    handle: routeRequests({ ...gatewayRole, ...controlRole, followedKeys, store, registry, hostCheck }),
    noteRefusal,
    controlPlane: controlRole.controlPlane,
    untilPoliciesLoaded: () => gateway.untilPoliciesLoaded(),
    startThreads: () => {
      threads.compiler.start();
      auditIndex.start();
      gatewayRole.startThreads();
    },
    closeStreams: async () => controlRole.eventStreams.close(),
    close: () => running.close(),
  };
}

function openThreads(log: Logger, running: ShutdownStack) {
  const compiler = new CompilerThread({ log });
  const simulator = new SimulatorThread({ log });
  const replayer = new ReplayerThread({ log });
  for (const thread of [compiler, simulator, replayer]) running.add(thread);
  return { compiler, simulator, replayer };
}

/** The index stands beside the store. */
function indexPlace({ databaseUrl: url, dataDir }: ServerSettings): IndexPlace {
  return url === null ? { kind: "sqlite", dataDir } : { kind: "postgres", url };
}
