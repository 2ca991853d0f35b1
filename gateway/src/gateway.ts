import type { ExecuteRequest } from "@svc/contract/execute-request";
import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import type { OutcomeReport } from "@svc/contract/outcome";
import type { Principal } from "@svc/contract/principal";
import type { Verdict } from "@svc/contract/verdict";
import type { ControlFollower, FollowedState } from "@svc/control-feed/control-follower";
import type { EvaluatorFactory } from "@svc/engine/evaluator-factory";
import { ExpiredKeySweep } from "@svc/log-writer/expired-key-sweep";
import type { LogWriter } from "@svc/log-writer/open-log-writer";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { Timers } from "@svc/process/timers";
import type { Store } from "@svc/store/ports/store";
import { KeyedDigest } from "@svc/text/keyed-digest";
import type { Registry } from "prom-client";
import { type ActivityFilter, ActivityWindow, type Affected } from "./activity-window.ts";
import { HeldQueue } from "./agents/held-queue.ts";
import { namespaceOf } from "./agents/namespace-of.ts";
import type { IdempotentCall } from "./append/claimed-key.ts";
import { Withdrawals } from "./append/withdrawals.ts";
import { ControlState } from "./check/control-state.ts";
import { type KillSwitchUpdate, killSwitchesSince } from "./check/kill-switches-since.ts";
import { execute, executeOnce } from "./execute.ts";
import type { ExecuteParts } from "./execute-parts.ts";
import { GatewayMetrics } from "./gateway-metrics.ts";
import { KeyedMutex } from "./keyed-mutex.ts";
import { type OutcomeResult, reportOutcome } from "./outcome.ts";
import type { ReceivedCall } from "./pending-call.ts";
import type { UnloadablePolicy } from "./policies/policy-index.ts";
import { type DocumentReader, PolicyLoader } from "./policies/policy-loader.ts";
import { SeenNames, type Sighting } from "./seen-names.ts";
import { SessionChurn } from "./session-churn.ts";

/** What a verdict is about, for people. */
export type JudgedCall = Pick<ExecuteRequest, "agent_id" | "tool">;

export interface GatewayOptions {
  readonly store: Pick<Store, "ledger" | "audit" | "idempotency" | "approvals">;
  /** Keeps the gateway's control state current. */
  readonly follower: ControlFollower;
  readonly logWriter: Pick<LogWriter, "queue">;
  readonly clock: MonotonicClock & WallClock;
  readonly log: Logger;
  readonly registry: Registry;
  /** Of the deployment, as `KeyedDigest` takes it. */
  readonly digestKey: string;
  readonly timers: Timers;
  /** Reads policy documents away from this thread. */
  readonly reader: DocumentReader;
  /** Makes what evaluates the modules of policies. */
  readonly evaluators: EvaluatorFactory;
  /** Prefix of approval URLs, without a slash at its end. */
  readonly publicUrl: string;
  /** Called with each verdict before it is answered. It must return quickly and must not throw. */
  readonly onVerdict?: ((call: JudgedCall, verdict: Verdict) => void) | undefined;
}

/** What a gateway knows about a name, and since when it remembers names. */
export interface NameSighting extends Sighting {
  /** RFC 3339. */
  readonly since: string;
}

/** One running gateway: decides calls from memory, over one ledger. */
export interface Gateway {
  /** Every fault is a deny that is marked `fail_closed`. Rejects only when `onVerdict` throws. */
  execute(received: ReceivedCall): Promise<Verdict>;
  /** The same, counted once per key; null when the key was used with another body before. */
  executeOnce(received: ReceivedCall, call: IdempotentCall): Promise<Verdict | null>;
  /** Calls that wait until their agents recover. */
  readonly heldQueue: Pick<HeldQueue, "enter" | "stop">;
  reportOutcome(principal: Principal, report: OutcomeReport): Promise<OutcomeResult>;
  /** The namespace that a call is in which names none. */
  namespaceOf(org: string, call: Pick<ExecuteRequest, "agent_id" | "namespace">): string;
  isRegistered(org: string, agentId: string): boolean;
  /** Applies what has been committed until now. Resolves with the revision then enforced here. */
  catchUp(): Promise<number>;
  /** The same for a revision that is known to be committed. It reads nothing if that is applied. */
  catchUpTo(revision: number): Promise<number>;
  /**
   * The same, and waits until the policies that the change of this revision touches are in force. It may wait
   * for long when the reader itself fails.
   */
  catchUpPolicies(revision: number): Promise<number>;
  /** Applies what has been committed until now, and waits until that version of one policy is in force. */
  catchUpPolicy(org: string, id: string): Promise<number>;
  /** The agents and sessions that called recently and that such a switch would stop. */
  affected(filter: ActivityFilter): Affected;
  /** What is known about the name in a switch; null for a switch without a name. */
  sighting(filter: ActivityFilter): NameSighting | null;
  /**
   * The kill switches of an organization that changed after a revision. @param after the revision that
   * the follower knows
   */
  killSwitchesSince(org: string, after: number | null): KillSwitchUpdate;
  /** Calls `wake` at each change of a switch of this organization. @returns a function that ends this */
  followKillSwitches(org: string, wake: () => void): () => void;
  /** How current the control state is that calls are decided by. */
  readonly followed: Pick<FollowedState, "ageMs" | "appliedRevision">;
  /** Whether control state is verified, so that calls are decided at all. */
  controlStateVerified(): boolean;
  /**
   * Whether every policy that existed at the start was compiled or refused. False while one waits for its
   * next try after a fault. Stays true.
   */
  policiesLoaded(): boolean;
  /** Policies whose agents are denied because they cannot be compiled, at most `limit`. */
  unloadablePolicies(limit: number): readonly UnloadablePolicy[];
  /** Resolves when every policy of the start was tried at least once. */
  untilPoliciesTried(): Promise<void>;
  /** Finishes what was accepted. The follower has stopped before, so that new calls are denied. */
  close(): Promise<void>;
}

/** The gateway among the subscribers of control state. */
const SUBSCRIBER = { name: "gateway", consequence: "every call is denied" };

/**
 * Starts a gateway: it decides calls when control state is loaded. Until a policy is compiled, which goes on
 * beside the calls, it denies. @throws when the store cannot be read.
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const parts = createParts(options);
  await parts.followed.catchUp();
  logControlState(options.log, parts.execution.control.state);
  parts.expiredKeys.start();
  const firstLoads = awaitFirstLoads(parts, options);
  return gatewayOf({ ...parts, firstLoads }, options);
}

/** What a start found. */
function logControlState(log: Logger, state: ControlState): void {
  const { policies, loading } = state.policySummary();
  const counts = { policies, loading, kill_switches: state.activeKillSwitches };
  log.info({ ...counts, revision: state.revision }, "control state loaded");
}

/** Waits for the policies of the start. One that a fault stopped is tried again before a start goes on. */
function awaitFirstLoads({ loader, execution }: CreatedParts, { log, clock }: GatewayOptions): FirstLoads {
  const startedMs = clock.nowMs();
  const firstLoads = { areDone: false, tried: loader.idle() };
  void loader.awaitedByStart().then(() => {
    firstLoads.areDone = true;
    const { policies, loading, unloadable } = execution.control.state.policySummary();
    const counts = { policies, loading, unloadable: unloadable.length };
    log.info({ ...counts, duration_ms: Math.round(clock.nowMs() - startedMs) }, "policies loaded");
  });
  return firstLoads;
}

interface FirstLoads {
  readonly areDone: boolean;
  /** Resolves when each was tried at least once. */
  readonly tried: Promise<void>;
}

type CreatedParts = ReturnType<typeof createParts>;

type GatewayParts = CreatedParts & { readonly firstLoads: FirstLoads };

function createParts(options: GatewayOptions) {
  const { store, logWriter, clock, log, timers, publicUrl, digestKey } = options;
  const { loader, state, followed, metrics } = createControl(options);
  const withdrawals = new Withdrawals({ ledger: store.ledger, clock, log });
  const churn = new SessionChurn(clock, (found) => {
    metrics.sessionChurn.inc();
    log.warn({ ...found }, "an agent opens sessions faster than conversations begin: ceilings may be dodged");
  });
  const names = new SeenNames();
  const since = clock.now().toISOString();
  const activity = new ActivityWindow(clock, (target) => churn.opened(target), names);
  const sighting = ({ org, scope, targetId }: ActivityFilter): NameSighting | null => {
    if (scope === "account" || targetId === null) return null;
    const bound = scope === "agent" || scope === "namespace" ? state.boundNames(org, scope) : [];
    return { ...names.sighting({ org, scope, name: targetId }, bound), since };
  };
  const execution: ExecuteParts = {
    control: { state, follower: followed },
    queue: logWriter.queue,
    onLateRow: (late) => withdrawals.withdrawLate(late),
    usage: (key) => store.ledger.usage(key),
    sessionMutex: new KeyedMutex(),
    audit: store.audit,
    grant: (org, approvalId) => store.approvals.grant(org, approvalId),
    usableElsewhere: (org, question) => store.approvals.usableElsewhere(org, question),
    withdraw: (row) => withdrawals.withdraw(row),
    activity,
    digest: new KeyedDigest(digestKey),
    clock,
    log,
    publicUrl,
  };
  const { severityWatch: watch } = state;
  const heldQueue = new HeldQueue({ severityOf: (caller) => state.severityFor(caller), watch, timers });
  return {
    heldQueue,
    loader,
    followed,
    metrics,
    withdrawals,
    activity,
    sighting,
    execution,
    expiredKeys: new ExpiredKeySweep({ keys: store.idempotency, clock, timers, log }),
  };
}

/** Control state, its follower, and the metrics about them. */
function createControl(options: GatewayOptions) {
  const { clock, log, registry, reader, evaluators, timers } = options;
  const onFault = (): void => metrics.policyLoadFaults.inc();
  const loader = new PolicyLoader({ reader, evaluators, clock, timers, log, onFault });
  const state = new ControlState(loader);
  const followed = options.follower.subscribe(state, SUBSCRIBER);
  const metrics = new GatewayMetrics(registry, {
    ageMs: () => followed.ageMs,
    killSwitches: () => state.activeKillSwitches,
    policiesPending: () => loader.pending,
  });
  return { loader, state, followed, metrics };
}

function gatewayOf(parts: GatewayParts, options: GatewayOptions): Gateway {
  const { store, logWriter, clock } = options;
  const { loader, followed, withdrawals, activity, execution } = parts;
  return {
    ...decisionsOf(parts, options),
    heldQueue: parts.heldQueue,
    reportOutcome: (principal, report) => reportOutcome({ ...store, clock }, principal, report),
    namespaceOf: (org, call) => namespaceOf(execution.control.state, org, call),
    isRegistered: (org, agentId) => execution.control.state.agentFor(org, agentId) !== null,
    followed,
    catchUp: () => followed.catchUp(),
    catchUpTo: (revision) => followed.catchUpTo(revision),
    catchUpPolicies: async (revision) => {
      const applied = await followed.catchUp();
      await loader.settled(revision);
      return applied;
    },
    catchUpPolicy: async (org, id) => {
      const applied = await followed.catchUp();
      await loader.policySettled(org, id);
      return applied;
    },
    policiesLoaded: () => parts.firstLoads.areDone,
    unloadablePolicies: (limit) => execution.control.state.unloadablePolicies(limit),
    untilPoliciesTried: () => parts.firstLoads.tried,
    affected: (filter) => activity.affected(filter),
    sighting: parts.sighting,
    killSwitchesSince: (org, after) => killSwitchesSince(execution.control.state, org, after),
    followKillSwitches: (org, wake) => execution.control.state.killSwitchFeed.follow(org, wake),
    controlStateVerified: () => followed.ageMs <= CONTROL_LEASE_MS,
    close: async () => {
      parts.heldQueue.stop();
      loader.close();
      await logWriter.queue.drain();
      await withdrawals.drain();
      await parts.expiredKeys.stop();
    },
  };
}

/** Decides calls, and notes each verdict before it is answered. */
function decisionsOf(
  { execution, metrics }: GatewayParts,
  { clock, onVerdict }: GatewayOptions,
): Pick<Gateway, "execute" | "executeOnce"> {
  const note = (call: JudgedCall, verdict: Verdict, startedMs: number): void => {
    metrics.decided(verdict, clock.nowMs() - startedMs);
    onVerdict?.(call, verdict);
  };
  return {
    execute: async (received) => {
      const startedMs = clock.nowMs();
      const verdict = await execute(execution, received);
      note(received.request, verdict, startedMs);
      return verdict;
    },
    executeOnce: async (received, call) => {
      const startedMs = clock.nowMs();
      const verdict = await executeOnce(execution, received, call);
      if (verdict !== null) note(received.request, verdict, startedMs);
      return verdict;
    },
  };
}
