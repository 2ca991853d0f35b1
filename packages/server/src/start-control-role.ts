import type { AuditIndex } from "@svc/audit-index/audit-index";
import { signCertificate } from "@svc/audit-log/certificate";
import { type Excerpt, signExcerpt } from "@svc/audit-log/excerpt";
import type { ContainmentCertificate } from "@svc/contract/containment-certificate";
import { KeyedDigest } from "@svc/contract/keyed-digest";
import type { FollowedState } from "@svc/control-feed/control-follower";
import { ApprovalExpiry } from "@svc/control-plane/approval-expiry";
import { ApprovalWaits } from "@svc/control-plane/approval-waits";
import { HeldCallKeeper } from "@svc/control-plane/held-call-keeper";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { QuarantineExpiry } from "@svc/control-plane/quarantine-expiry";
import type { SupervisionPorts } from "@svc/control-plane/supervision-ports";
import { TtlExpiry } from "@svc/control-plane/ttl-expiry";
import { ExpiredKeySweep } from "@svc/gateway/expired-key-sweep";
import { AnswerOnce } from "@svc/http-api/answer-once";
import { controlApp } from "@svc/http-api/control-app";
import { EventStreams } from "@svc/http-api/event-streams";
import { limitGuesses } from "@svc/http-api/guess-limits";
import { type LimitRate, NO_RATE_LIMITS, RateLimits } from "@svc/http-api/rate-limits";
import type { WebApp } from "@svc/http-api/web-app";
import { withinDeadline } from "@svc/http-api/within-deadline";
import { systemClock } from "@svc/process/clock";
import { randomId } from "@svc/process/random-id";
import { nodeTimers } from "@svc/process/timers";
import { approvalDesk } from "@svc/web/approval-desk";
import { ApprovalPages } from "@svc/web/approval-pages";
import { Visitors } from "@svc/web/visitors";
import { openReplays, type ReplayPorts } from "./open-replays.ts";
import { openSupervision } from "./open-supervision.ts";
import { provingConnections } from "./prove-connections.ts";
import type { ServerParts } from "./server-parts.ts";
import { startAnomalyRecorder } from "./start-anomaly-recorder.ts";
import { startRetention } from "./start-retention.ts";
import { startSupervision } from "./start-supervision.ts";

export interface ControlRole {
  readonly controlPlane: ControlPlanePorts;
  /** The control endpoints. */
  readonly controlApp: WebApp;
  /** How current the expiry of kill switches is. */
  readonly followed: FollowedState;
  readonly approvalPages: ApprovalPages;
  /** Ends event streams, and answers the requests that wait for an approval. */
  closeStreams(): Promise<void>;
  /** Stops ending switches, quarantines and approvals, removing expired keys, and replaying. */
  close(): Promise<void>;
}

/** How operations reach the processes that enforce what they change. */
export type ProcessPorts = Pick<ControlPlanePorts, "propagation" | "gateways" | "reaches" | "leads">;

/** How the log names the expiry as a subscriber of control state. */
const SUBSCRIBER = { name: "ttl expiry", consequence: "kill switches may end late" };

/** How the log names the keeper of held calls. */
const KEEPER = { name: "held calls", consequence: "held calls may be released or revoked late" };

/** How the log names the expiry of quarantines. */
const QUARANTINES = { name: "quarantine expiry", consequence: "quarantines may end late" };

/** Starts the control endpoints and the expiry of kill switches. @throws when the store cannot be read. */
export async function startControlRole(parts: ServerParts, processes: ProcessPorts): Promise<ControlRole> {
  const { store, follower, log, authenticators, noteRefusal, settings } = parts;
  const auditIndex = withinDeadline(parts.auditIndex);
  const replays = await openReplays(parts);
  const approvalWaits = new ApprovalWaits({ approvals: store.approvals, timers: nodeTimers, log });
  const supervision = await openSupervision(parts);
  const controlPlane = controlPorts(parts, {
    ...processes,
    ...supervisionPortsOf(supervision),
    approvalWaits,
    ...replays.ports,
  });
  const answerOnce = new AnswerOnce({ keys: withinDeadline(store.requestKeys), clock: systemClock, log });
  const sweep = new ExpiredKeySweep({
    keys: { removeExpiredKeys: (atMs, limit) => store.requestKeys.removeExpired(atMs, limit) },
    clock: systemClock,
    timers: nodeTimers,
    log,
  });
  const expiry = new TtlExpiry(controlPlane);
  const followed = follower.subscribe(expiry, SUBSCRIBER);
  const keeper = startKeeper(follower, controlPlane);
  const quarantines = await startQuarantineExpiry(follower, controlPlane);
  await followed.catchUp();
  const auditParts = { ...auditPartsOf(parts), auditIndex };
  const eventStreams = eventStreamsOf(parts);
  const rateLimits = settings.authentication === "off" ? NO_RATE_LIMITS : new RateLimits(systemClock);
  const approvalPages = approvalPagesOf(parts, { controlPlane, auditIndex, rateLimits });
  const app = controlApp({
    authenticate: limitGuesses(authenticators.verified, systemClock, settings),
    controlPlane,
    log,
    noteRefusal,
    answerOnce,
    rateLimits,
    corsOrigins: new Set(settings.corsOrigins),
    ...auditParts,
    eventStreams,
  });
  const approvalExpiry = new ApprovalExpiry(controlPlane);
  for (const each of [sweep, approvalExpiry]) each.start();
  const supervisor = startSupervision(controlPlane, supervision);
  const recorder = startAnomalyRecorder(controlPlane, supervision, parts.auditIndex);
  const retention = startRetention(parts, { auditIndex, leads: processes.leads });
  const closeStreams = async (): Promise<void> => {
    approvalWaits.stop();
    await eventStreams.close();
  };
  const close = async () => {
    await Promise.all([supervisor.stop(), recorder.stop()]);
    const timed = [expiry, quarantines, sweep, approvalExpiry, keeper].map((each) => each.stop());
    const closed = [replays.runner.close(), supervision.close(), approvalPages.close(), retention?.stop()];
    await Promise.all([...timed, ...closed]);
  };
  return { controlPlane, controlApp: app, approvalPages, followed, closeStreams, close };
}

type PageParts = Pick<ControlRole, "controlPlane"> &
  Pick<ServerParts, "auditIndex"> & { readonly rateLimits: LimitRate };

function approvalPagesOf(
  { settings, authenticators, noteRefusal, log }: ServerParts,
  { controlPlane, auditIndex, rateLimits }: PageParts,
): ApprovalPages {
  const login = provingConnections((_request, key: string) => authenticators.key(key));
  return new ApprovalPages({
    desk: approvalDesk(controlPlane, { log, auditIndex }),
    visitors: new Visitors({
      everybody: settings.authentication === "off" ? authenticators.verified : null,
      login: limitGuesses(login, systemClock, settings),
      clock: systemClock,
      publicUrl: settings.publicUrl,
    }),
    rateLimits,
    noteRefusal,
    publicUrl: settings.publicUrl,
  });
}

async function startQuarantineExpiry(
  follower: ServerParts["follower"],
  controlPlane: ControlPlanePorts,
): Promise<QuarantineExpiry> {
  const expiry = new QuarantineExpiry(controlPlane);
  await follower.subscribe(expiry, QUARANTINES).catchUp();
  return expiry;
}

/** What handlers of the log and of certificates read, and how they sign. */
function auditPartsOf({ store, signer, verifierKeys, logWriter }: ServerParts) {
  return {
    audit: store.audit,
    keys: store.keys,
    ledger: withinDeadline(store.ledger),
    verifierKeys,
    checkpoint: () => logWriter.checkpoint(),
    signExcerpt: (excerpt: Excerpt) => signExcerpt(signer, excerpt),
    signCertificate: (certificate: ContainmentCertificate) => signCertificate(signer, certificate),
  };
}

function eventStreamsOf({ store, log, registry }: ServerParts): EventStreams {
  const { audit } = store;
  const random = (): number => Math.random();
  return new EventStreams({ audit, clock: systemClock, timers: nodeTimers, log, registry, random });
}

function supervisionPortsOf(opened: SupervisionPorts): SupervisionPorts {
  const { supervision, anomalies, supervised, heartbeats, rogueSettings, callCoverage, risks } = opened;
  return { supervision, anomalies, supervised, heartbeats, rogueSettings, callCoverage, risks };
}

/** Counts by the index. What it does not count is not told as a smaller number. */
function callCounter({
  allowedCalls,
  callers,
}: Pick<AuditIndex, "allowedCalls" | "callers">): ControlPlanePorts["callCounter"] {
  return {
    allowed: async (query) => {
      const { allowed, withoutOutcome, complete, behind } = await allowedCalls(query);
      return complete && behind.length === 0 ? { allowed, withoutOutcome } : null;
    },
    callers: async (query) => {
      const { callers: found, complete, behind } = await callers(query);
      const agents = [...new Set(found.map(({ agentId }) => agentId))].toSorted();
      const sessions = [...new Set(found.flatMap(({ sessionId }) => sessionId ?? []))].toSorted();
      return { agents, sessions, complete: complete && behind.length === 0 };
    },
  };
}

interface ControlPortsRest extends ProcessPorts, ReplayPorts, SupervisionPorts {
  readonly approvalWaits: ApprovalWaits;
}

/** The ports of the operations. Each call of the store ends within a deadline. */
function controlPorts(
  { store, log, settings, compiler, simulator, auditIndex }: ServerParts,
  { propagation, gateways, reaches, leads, approvalWaits, ...otherPorts }: ControlPortsRest,
): ControlPlanePorts {
  const digest = new KeyedDigest(otherPorts.digestKey);
  return {
    clock: systemClock,
    timers: nodeTimers,
    log,
    newId: randomId,
    documents: compiler,
    simulations: simulator,
    propagation,
    gateways,
    reaches,
    leads,
    callCounter: callCounter(withinDeadline(auditIndex)),
    killSwitches: withinDeadline(store.killSwitches),
    policies: withinDeadline(store.policies),
    assignments: withinDeadline(store.assignments),
    namespaces: withinDeadline(store.namespaces),
    agents: withinDeadline(store.agents),
    legalHolds: withinDeadline(store.legalHolds),
    keys: withinDeadline(store.keys),
    ...otherPorts,
    approvals: withinDeadline(store.approvals),
    heldCalls: withinDeadline(store.heldCalls),
    approvalWorkflows: withinDeadline(store.approvalWorkflows),
    approvalWaits,
    rows: withinDeadline(store.audit),
    digest: (text: string) => digest.of(text),
    publicUrl: settings.publicUrl,
  };
}

/** Starts what ends held calls. */
function startKeeper(follower: ServerParts["follower"], ports: ControlPlanePorts): HeldCallKeeper {
  const keeper = new HeldCallKeeper(ports);
  follower.subscribe(keeper, KEEPER);
  keeper.start();
  return keeper;
}
