import { activateSwitch, type DrillSwitch, endSwitch, isOver } from "../api/kill-switches.ts";
import type { Caller } from "../caller.ts";
import { isTrueWithin } from "../is-true-within.ts";
import { judgeStop } from "../judge/judge-kill.ts";
import { judgeChains, judgeExpiries } from "../judge/judge-logs.ts";
import { BACK_WITHIN_MS, judgeReturn } from "../judge/judge-return.ts";
import { judgeRows } from "../judge/judge-rows.ts";
import { judgeTakeover } from "../judge/judge-takeover.ts";
import type { DrillGateway } from "../local/drill-gateway.ts";
import { DRILL_AGENT, type LocalCluster } from "../local/local-cluster.ts";
import { pause } from "../pause.ts";
import { loadCallersOf, probeCallersOf } from "./callers-of-gateways.ts";
import { type DrillContext, everyCallerSees, undoneStep } from "./drill-context.ts";
import { findLeader } from "./find-leader.ts";
import { type ClusterLog, readLog } from "./read-log.ts";
import { withCallers } from "./with-callers.ts";

/** Seconds of the switch whose end shows that somebody has the lead. */
const TTL_SECONDS = 2;

/** Milliseconds for that end, which is far more than a takeover may take: a late one is measured, too. */
const ENDED_WITHIN_MS = 20_000;

/** Milliseconds between two looks at a switch. */
const POLL_MS = 25;

/** Milliseconds in which every gateway must allow before a fault, or the step measures nothing. */
const SEEN_WITHIN_MS = 10_000;

/** Times that the log is read until every row is signed, and the milliseconds between them. */
const SIGNED_ATTEMPTS = 4;
const SIGNING_TIME_MS = 1_200;

interface Crash {
  readonly subject: string;
  readonly signal: "SIGKILL" | "SIGSTOP";
  readonly victim: "leader" | "another";
}

const CRASHES: readonly Crash[] = [
  { subject: "kill -9 of a gateway", signal: "SIGKILL", victim: "another" },
  { subject: "SIGSTOP of a gateway", signal: "SIGSTOP", victim: "another" },
  { subject: "kill -9 of the leader", signal: "SIGKILL", victim: "leader" },
  { subject: "SIGSTOP of the leader", signal: "SIGSTOP", victim: "leader" },
];

/** Kills and pauses gateways under load, then looks for every acknowledged row in the log. */
export async function drillCrash(cluster: LocalCluster, context: DrillContext): Promise<void> {
  const { gateways } = cluster;
  const expiring: string[] = [];
  const callers = await withCallers(
    [...probeCallersOf(gateways), ...loadCallersOf(gateways)],
    async (running) => {
      for (const crash of CRASHES) {
        context.onProgress(crash.subject);
        await crashOnce({ cluster, crash, callers: running, expiring }, context);
      }
      return running;
    },
  );
  context.onProgress("reading the log");
  const log = await readSigned(cluster, context);
  const observations = callers.flatMap((caller) => caller.observations);
  context.checks.push(judgeRows("the log", observations, log.decisions));
  context.checks.push(
    ...judgeChains(
      log.reports,
      gateways.map(({ id }) => id),
    ),
  );
  context.checks.push(judgeExpiries(expiring, log.expiries));
}

interface CrashStep {
  readonly cluster: LocalCluster;
  readonly crash: Crash;
  /** First the probes of all gateways, then their load. */
  readonly callers: readonly Caller[];
  /** The switches that end by time are added here. */
  readonly expiring: string[];
}

async function crashOnce(step: CrashStep, context: DrillContext): Promise<void> {
  const { cluster, crash, callers } = step;
  const { signal, checks } = context;
  const { subject } = crash;
  const [first] = cluster.gateways;
  if (first === undefined) return;
  await everyCallerSees(callers, ["allowed"], { withinMs: SEEN_WITHIN_MS, signal });
  const leader = await findLeader(first.api, signal);
  const isWanted = ({ id }: DrillGateway) => (id === leader) === (crash.victim === "leader");
  const victim = cluster.gateways.find(isWanted);
  const asked = cluster.gateways.find(({ id }) => id !== victim?.id);
  if (leader === null || victim === undefined || asked === undefined) {
    const detail = "no gateway was found that ends switches by time";
    checks.push({ id: "takeover", subject, gateway: null, verdict: "not_measured", figures: {}, detail });
    return;
  }
  try {
    await breakOne({ ...step, victim, asked }, context);
  } catch (error) {
    checks.push(undoneStep(error, { id: "service_kept", subject }));
  }
}

interface BrokenStep extends CrashStep {
  readonly victim: DrillGateway;
  /** A gateway that goes on. */
  readonly asked: DrillGateway;
}

async function breakOne(step: BrokenStep, context: DrillContext): Promise<void> {
  const { cluster, crash, callers, victim, asked } = step;
  const { signal, checks } = context;
  const { subject } = crash;
  const target = { scope: "agent", target_id: "drill-expiry", ttl_seconds: TTL_SECONDS } as const;
  const expiring = await activateSwitch(asked.api, target);
  step.expiring.push(expiring.id);
  const brokenAtMs = performance.now();
  victim.signal(crash.signal);
  const stop = await activateSwitch(asked.api, { scope: "agent", target_id: DRILL_AGENT });
  let mendedAtMs = 0;
  let endedAtMs = 0;
  try {
    checks.push(await watchTakeover({ step, expiring, brokenAtMs }, context));
    await mend(step, signal);
    mendedAtMs = performance.now();
    const probe = callers[cluster.gateways.indexOf(victim)];
    if (probe !== undefined)
      await everyCallerSees([probe], ["stopped"], { withinMs: BACK_WITHIN_MS, signal });
  } finally {
    endedAtMs = performance.now();
    await endSwitch(asked.api, stop.id);
  }
  await everyCallerSees(callers, ["allowed"], { withinMs: BACK_WITHIN_MS, signal });
  const watchedUntilMs = performance.now();
  for (const [index, gateway] of cluster.gateways.entries()) {
    const observations = callers[index]?.observations ?? [];
    const load = callers[cluster.gateways.length + index]?.observations ?? [];
    checks.push(judgeStop({ gateway: gateway.id, subject, activation: stop, endedAtMs, observations }));
    const backFromMs = gateway === victim ? mendedAtMs : brokenAtMs;
    const window = { gateway: gateway.id, subject, observations: load, watchedUntilMs };
    checks.push(judgeReturn({ ...window, mendedAtMs: backFromMs }));
  }
}

async function watchTakeover(
  { step, expiring, brokenAtMs }: { step: BrokenStep; expiring: DrillSwitch; brokenAtMs: number },
  { signal }: DrillContext,
) {
  const { asked, crash, victim } = step;
  // The switch was made after the request was sent, so it was due no earlier.
  const dueAtMs = Math.max(brokenAtMs, expiring.sentAtMs + TTL_SECONDS * 1_000);
  const hasEnded = await isTrueWithin(() => isOver(asked.api, expiring.id), {
    withinMs: ENDED_WITHIN_MS,
    signal,
    pollMs: POLL_MS,
  });
  const watchedUntilMs = performance.now();
  return judgeTakeover({
    subject: crash.subject,
    gateway: victim.id,
    dueAtMs,
    endedAtMs: hasEnded ? watchedUntilMs : null,
    watchedUntilMs,
  });
}

/** A killed gateway is started again; one that was paused goes on. */
async function mend({ crash, victim }: BrokenStep, signal: AbortSignal): Promise<void> {
  switch (crash.signal) {
    case "SIGKILL":
      await victim.kill();
      return victim.start(signal);
    case "SIGSTOP":
      return victim.signal("SIGCONT");
  }
}

async function readSigned(cluster: LocalCluster, { signal }: DrillContext): Promise<ClusterLog> {
  for (let attempt = 1; ; attempt += 1) {
    const log = await readLog(cluster);
    if (attempt === SIGNED_ATTEMPTS || log.reports.every(({ verdict }) => verdict !== "partly_signed"))
      return log;
    await pause(SIGNING_TIME_MS, signal);
  }
}
