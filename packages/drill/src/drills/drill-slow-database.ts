import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import { activateSwitch, type DrillSwitch, endSwitch } from "../api/kill-switches.ts";
import type { Caller } from "../caller.ts";
import { judgeAnswers } from "../judge/judge-answers.ts";
import { judgeStop } from "../judge/judge-kill.ts";
import { judgeLease } from "../judge/judge-lease.ts";
import { BACK_WITHIN_MS, judgeReturn } from "../judge/judge-return.ts";
import type { DrillGateway } from "../local/drill-gateway.ts";
import { WHOLE } from "../local/link.ts";
import { DRILL_AGENT, type LocalCluster } from "../local/local-cluster.ts";
import { pause } from "../pause.ts";
import { loadCallersOf, probeCallersOf } from "./callers-of-gateways.ts";
import { type DrillContext, everyCallerSees, undoneStep } from "./drill-context.ts";
import { withCallers } from "./with-callers.ts";

/** Milliseconds that answers of the database are late: nearly nothing, noticeable, and beyond the lease. */
const DELAYS_MS = [50, 500, 5_000] as const;

/** Milliseconds that the database stays slow. */
const SLOW_FOR_MS = 6_000;

/** Milliseconds from the start of the delay to the activation. */
const BEFORE_KILL_MS = 2_000;

/** Milliseconds in which every gateway must allow before a fault, or the step measures nothing. */
const SEEN_WITHIN_MS = 5_000;

/** Delays what the database answers to every gateway but the first, and activates a kill switch meanwhile. */
export async function drillSlowDatabase(cluster: LocalCluster, context: DrillContext): Promise<void> {
  for (const delayMs of DELAYS_MS) {
    context.onProgress(`the database answers ${String(delayMs)} ms late`);
    await slowOnce(cluster, delayMs, context);
  }
}

async function slowOnce({ gateways }: LocalCluster, delayMs: number, context: DrillContext): Promise<void> {
  const { signal, checks } = context;
  const subject = `${String(delayMs)} ms late`;
  const [first, ...slow] = gateways;
  if (first === undefined) return;
  await withCallers([...probeCallersOf(gateways), ...loadCallersOf(gateways)], async (callers) => {
    await everyCallerSees(callers, ["allowed"], { withinMs: SEEN_WITHIN_MS, signal });
    const slowedAtMs = performance.now();
    let activation: DrillSwitch | null = null;
    let endedAtMs = Number.POSITIVE_INFINITY;
    try {
      for (const { link } of slow) link.set({ ...WHOLE, toGateway: { kind: "pass", delayMs } });
      await pause(BEFORE_KILL_MS, signal);
      activation = await activateSwitch(first.api, { scope: "agent", target_id: DRILL_AGENT });
      await pause(SLOW_FOR_MS - BEFORE_KILL_MS, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      checks.push(undoneStep(error, { id: "kill_accepted", subject }));
    } finally {
      for (const { link } of slow) link.set(WHOLE);
      endedAtMs = performance.now();
      if (activation !== null) await endSwitch(first.api, activation.id);
    }
    const mendedAtMs = performance.now();
    await everyCallerSees(callers, ["allowed"], { withinMs: BACK_WITHIN_MS, signal });
    const watchedUntilMs = performance.now();
    const step = { gateways, slow, callers, subject, activation, slowedAtMs, endedAtMs, mendedAtMs };
    judgeStep({ ...step, delayMs, watchedUntilMs }, context);
  });
}

interface SlowStep {
  readonly gateways: readonly DrillGateway[];
  readonly slow: readonly DrillGateway[];
  /** First the probes of all gateways, then their load. */
  readonly callers: readonly Caller[];
  readonly subject: string;
  readonly delayMs: number;
  readonly activation: DrillSwitch | null;
  readonly slowedAtMs: number;
  readonly endedAtMs: number;
  readonly mendedAtMs: number;
  readonly watchedUntilMs: number;
}

function judgeStep(step: SlowStep, { checks }: DrillContext): void {
  const { gateways, slow, callers, subject, activation, endedAtMs, mendedAtMs, watchedUntilMs } = step;
  const slowCalls: (typeof callers)[number]["observations"][number][] = [];
  for (const [index, gateway] of gateways.entries()) {
    const observations = callers[index]?.observations ?? [];
    const load = callers[gateways.length + index]?.observations ?? [];
    if (activation !== null)
      checks.push(judgeStop({ gateway: gateway.id, subject, activation, endedAtMs, observations }));
    if (!slow.includes(gateway)) continue;
    slowCalls.push(...observations, ...load);
    const window = { gateway: gateway.id, subject, observations: load };
    if (step.delayMs > CONTROL_LEASE_MS)
      checks.push(judgeLease({ ...window, brokenAtMs: step.slowedAtMs, mendedAtMs: endedAtMs }));
    checks.push(judgeReturn({ ...window, mendedAtMs, watchedUntilMs }));
  }
  checks.push(judgeAnswers(subject, slowCalls));
}
