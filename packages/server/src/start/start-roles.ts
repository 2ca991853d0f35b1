import { hostname } from "node:os";
import { join } from "node:path";
import type { IndexPlace } from "@svc/audit-index/index-place";
import { openAuditIndex } from "@svc/audit-index/open-audit-index";
import { ClusterNode } from "@svc/cluster/cluster-node";
import { DecisionRate } from "@svc/cluster/decision-rate";
import { registerLeadMetric } from "@svc/cluster/lead-metric";
import { localAcknowledgements } from "@svc/cluster/local-acknowledgements";
import { localPropagation } from "@svc/cluster/local-propagation";
import { ownGateway } from "@svc/cluster/own-gateway";
import type { FollowedState } from "@svc/control-feed/control-follower";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import type { Gateway } from "@svc/gateway/gateway";
import type { ProcessPorts } from "@svc/http-api/compose-control";
import type { NoteRefusal } from "@svc/http-api/refusal-log";
import type { Handle } from "@svc/http-edge/edge-server";
import type { Exchange } from "@svc/http-edge/exchange";
import { DocumentThread } from "@svc/policy-threads/document-thread";
import { ReplayerThread } from "@svc/policy-threads/replayer-thread";
import { SimulatorThread } from "@svc/policy-threads/simulator-thread";
import { systemClock } from "@svc/process/clock";
import { ShutdownStack } from "@svc/process/shutdown-stack";
import { nodeTimers } from "@svc/process/timers";
import { OPA_VERSION } from "@svc/rego/rego-runtime";
import type { Store } from "@svc/store/ports/store";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import { openStore } from "../database/open-store.ts";
import { RowNews } from "../database/row-news.ts";
import { CONTROL_MARK_FILE, ControlMarkFile } from "../files/control-mark-file.ts";
import type { DataDirectory } from "../files/data-directory.ts";
import { ProcessHealth } from "../health/process-health.ts";
import { ABSENT_ROLE_HANDLERS } from "../routes/absent-role-handlers.ts";
import { type RouteParts, routeRequests } from "../routes/route-requests.ts";
import type { ServerSettings } from "../settings/settings.ts";
import type { OnVerdict } from "../trial/print-decisions.ts";
import { openModules } from "./open-modules.ts";
import type { Outbound } from "./open-outbound.ts";
import { openServerParts, type ServerParts } from "./server-parts.ts";
import { type ControlRole, startControlRole } from "./start-control-role.ts";
import { type GatewayRole, startGatewayRole } from "./start-gateway-role.ts";

export interface RolesOptions {
  readonly settings: ServerSettings;
  readonly log: Logger;
  readonly directory: DataDirectory;
  readonly outbound: Outbound;
  /** Called with the path of the file that holds a new admin key. The key itself is not passed on. */
  readonly onAdminKey: (path: string) => void;
  /** Called with each verdict before it is sent, to print it. */
  readonly onVerdict?: OnVerdict | undefined;
}

/** Everything behind the listener. */
export interface StartedRoles {
  readonly handle: Handle;
  /** Decides a call that the lane has read; null: this process decides none. */
  readonly decide: ((exchange: Exchange) => void | Promise<void>) | null;
  readonly registry: Registry;
  readonly noteRefusal: NoteRefusal;
  /** Null: this process does not serve the control API. */
  readonly controlPlane: ControlPlanePorts | null;
  /** Resolves when the gateway has tried every policy that the start found at least once. */
  untilPoliciesTried(): Promise<void>;
  /** Has rows indexed. Call it when the listener stands: a start beside the thread takes the time of both. */
  startIndex(): void;
  /**
   * Says that the process is not ready any more. Ends streams and answers requests that wait for others,
   * which would use up the grace of the calls in flight.
   */
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

/** The roles of this process over one store, one log and one follower. */
async function openRoles(options: RolesOptions, running: ShutdownStack): Promise<StartedRoles> {
  const { settings, log, directory, outbound, onVerdict } = options;
  running.add(outbound);
  const threads = openThreads(options, running);
  const controlMarks = await openControlMarks(options, running);
  const auditIndex = openAuditIndex({ place: indexPlace(settings), log, clock: systemClock });
  const rows = new RowNews(() => auditIndex.noteRows());
  const store = await openStore(settings, directory, { controlMarks, onRows: () => rows.note() });
  running.add(store);
  const decisions = new DecisionRate(systemClock);
  const node = await joinCluster({ store, decisions }, options, running);
  running.add(auditIndex);
  const parts = await openServerParts({
    ...options,
    ...threads,
    store,
    news: rows.of(store),
    node,
    auditIndex,
  });
  const { follower, logWriter, followedKeys, telemetry } = parts;
  for (const part of [logWriter, telemetry ?? []].flat()) running.add(part);
  const gatewayRole =
    settings.role === "control" ? null : await startGatewayRole(parts, noting(decisions, onVerdict));
  if (gatewayRole !== null) running.add(gatewayRole);
  const gateway = gatewayRole?.gateway ?? null;
  const health = processHealth(parts, gateway);
  running.add({ close: async () => health.stop() });
  follower.start();
  running.add({ close: async () => follower.stop() });
  const controlRole =
    settings.role === "gateway"
      ? null
      : await startControlRole(parts, processPorts(parts, { gateway, decisions, health }));
  if (controlRole !== null) running.add(controlRole);
  const judging = [gateway?.followed, followedKeys].flatMap((each) => each ?? []);
  const followed = judging.length > 0 ? judging : [controlRole?.followed].flatMap((each) => each ?? []);
  node?.start({ follower, followed, gateway });
  health.start();
  // The start may have taken longer than the lease. The first request must not be refused for that.
  await followedKeys?.catchUp();
  let isEnding = false;
  const routeParts = routePartsOf(parts, { gatewayRole, controlRole, followed });
  return {
    handle: routeRequests({ ...routeParts, isEnding: () => isEnding }),
    decide: decideOf(gatewayRole),
    registry: parts.registry,
    noteRefusal: parts.noteRefusal,
    controlPlane: controlRole?.controlPlane ?? null,
    untilPoliciesTried: async () => gateway?.untilPoliciesTried(),
    // Only control endpoints show and use what the index holds.
    startIndex: () => (controlRole === null ? undefined : auditIndex.start()),
    closeStreams: async () => {
      isEnding = true;
      gateway?.heldQueue.stop();
      await controlRole?.closeStreams();
    },
    close: () => running.close(),
  };
}

function decideOf(role: GatewayRole | null): StartedRoles["decide"] {
  return role === null ? null : (exchange) => role.gatewayEndpoints.executeExchange(exchange);
}

/** Null: the log of an embedded store covers each control change. */
async function openControlMarks(
  { settings, directory: { path, gatewayId }, log }: RolesOptions,
  running: ShutdownStack,
): Promise<ControlMarkFile | null> {
  if (settings.databaseUrl === null) return null;
  const file = join(path, CONTROL_MARK_FILE);
  const marks = await ControlMarkFile.open({ path: file, gatewayId, timers: nodeTimers, log });
  running.add(marks);
  return marks;
}

/** Null: one process owns the store. */
async function joinCluster(
  { store: { cluster }, decisions }: { readonly store: Store; readonly decisions: DecisionRate },
  { settings: { role }, log, directory: { gatewayId: id } }: RolesOptions,
  running: ShutdownStack,
): Promise<ClusterNode | null> {
  if (cluster === null) return null;
  const node = new ClusterNode({ id, cluster, role, decisions, log });
  running.add(node);
  await node.join();
  return node;
}

function processHealth(parts: ServerParts, gateway: Gateway | null): ProcessHealth {
  const { node, settings, auditIndex: index } = parts;
  return new ProcessHealth({
    ...parts,
    dataDir: settings.dataDir,
    index,
    gateway,
    say: node === null ? null : async (text) => node.saySigns(text),
    clock: systemClock,
    timers: nodeTimers,
  });
}

function noting(decisions: DecisionRate, onVerdict: OnVerdict | undefined): OnVerdict {
  return (call, verdict) => {
    decisions.note();
    onVerdict?.(call, verdict);
  };
}

interface OwnProcess {
  readonly gateway: Gateway | null;
  readonly decisions: DecisionRate;
  readonly health: ProcessHealth;
}

function processPorts(parts: ServerParts, { gateway, decisions, health }: OwnProcess): ProcessPorts {
  const { node, follower, followedKeys, directory } = parts;
  const leads = node?.campaign() ?? (() => true);
  registerLeadMetric(parts.registry, leads);
  if (node !== null) {
    const { directory: gateways, acknowledgements } = node;
    const processes = async () => node.processes();
    return { propagation: node.propagation(follower), gateways, processes, acknowledgements, leads };
  }
  if (gateway === null) throw new Error("a store of one process: expected the role all");
  const { gatewayId: id } = directory;
  const { followed } = gateway;
  return {
    propagation: localPropagation({ gatewayId: id, gateway, followedKeys, clock: systemClock }),
    leads,
    processes: async () => [{ id, host: hostname(), isGateway: true, isLiving: true, signs: health.signs }],
    gateways: ownGateway({ id, followed, decisions, clock: systemClock }),
    acknowledgements: localAcknowledgements({ id, followed, clock: systemClock }),
  };
}

interface Roles {
  readonly gatewayRole: GatewayRole | null;
  readonly controlRole: ControlRole | null;
  readonly followed: readonly Pick<FollowedState, "ageMs">[];
}

function routePartsOf(
  parts: ServerParts,
  { gatewayRole, controlRole, followed }: Roles,
): Omit<RouteParts, "isEnding"> {
  const { settings, authenticators, store, registry, log } = parts;
  return {
    ...(gatewayRole ?? ABSENT_ROLE_HANDLERS.gateway),
    ...(controlRole ?? ABSENT_ROLE_HANDLERS.control()),
    gateway: gatewayRole?.gateway ?? null,
    followed,
    store,
    registry,
    opaVersion: OPA_VERSION,
    log,
    hostCheck: settings.authentication === "off" ? authenticators.verified : null,
  };
}

function openThreads({ log, settings: { dataDir: folder } }: RolesOptions, running: ShutdownStack) {
  const modules = openModules(folder, log);
  const documents = new DocumentThread({ log, modules: modules.runtime });
  const simulator = new SimulatorThread({ log, modules: { folder } });
  const replayer = new ReplayerThread({ log, modules: { folder } });
  for (const part of [modules, documents, simulator, replayer]) running.add(part);
  return { modules, documents, simulator, replayer };
}

/** The index stands beside the store. */
function indexPlace({ databaseUrl: url, dataDir }: ServerSettings): IndexPlace {
  return url === null ? { kind: "sqlite", dataDir } : { kind: "postgres", url };
}
