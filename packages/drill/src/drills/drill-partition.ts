import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import { activateSwitch, type DrillSwitch, endSwitch } from "../api/kill-switches.ts";
import type { Caller } from "../caller.ts";
import { judgeStop } from "../judge/judge-kill.ts";
import { judgeLease } from "../judge/judge-lease.ts";
import { BACK_WITHIN_MS, judgeReturn } from "../judge/judge-return.ts";
import { judgeSilentGateway } from "../judge/judge-silent-gateway.ts";
import type { DrillGateway } from "../local/drill-gateway.ts";
import { HELD, type LinkState, WHOLE } from "../local/link.ts";
import { DRILL_AGENT, type LocalCluster } from "../local/local-cluster.ts";
import { pause } from "../pause.ts";
import { loadCallersOf, probeCallersOf } from "./callers-of-gateways.ts";
import { type DrillContext, everyCallerSees, undoneStep } from "./drill-context.ts";
import { withCallers } from "./with-callers.ts";

/** Milliseconds that a link stays broken beyond the lease of its gateway. */
const BEYOND_LEASE_MS = 1_500;

/** Milliseconds in which every gateway must allow before a fault, or the step measures nothing. */
const SEEN_WITHIN_MS = 5_000;

/** A link that flaps: broken and whole in turn, for a number of times. */
const FLAP = { brokenMs: 400, wholeMs: 150, times: 8 } as const;

const CUTS: Readonly<Record<string, LinkState>> = {
  "cut both ways": { toDatabase: HELD, toGateway: HELD },
  "cut from the database": { ...WHOLE, toGateway: HELD },
  "cut to the database": { ...WHOLE, toDatabase: HELD },
};

/** Cuts one gateway off its database in several ways, and activates a kill switch meanwhile. */
export async function drillPartition(cluster: LocalCluster, context: DrillContext): Promise<void> {
  const [first, victim] = cluster.gateways;
  if (first === undefined || victim === undefined) return;
  for (const [subject, state] of Object.entries(CUTS)) {
    context.onProgress(`${victim.id}: ${subject}`);
    await underFault(
      cluster,
      { subject, first, victim, breakLink: () => hold(victim, state, context) },
      context,
    );
  }
  context.onProgress(`${victim.id}: flapping`);
  const breakLink = () => flap(victim, context);
  await underFault(cluster, { subject: "flapping", first, victim, breakLink }, context);
}

async function hold({ link }: DrillGateway, state: LinkState, { signal }: DrillContext): Promise<void> {
  link.set(state);
  await pause(CONTROL_LEASE_MS + BEYOND_LEASE_MS, signal);
}

async function flap({ link }: DrillGateway, { signal }: DrillContext): Promise<void> {
  for (let time = 0; time < FLAP.times; time += 1) {
    link.set({ toDatabase: HELD, toGateway: HELD });
    await pause(FLAP.brokenMs, signal);
    link.set(WHOLE);
    await pause(FLAP.wholeMs, signal);
  }
}

interface Fault {
  readonly subject: string;
  /** The gateway that activates the switch. */
  readonly first: DrillGateway;
  readonly victim: DrillGateway;
  /** Breaks the link at once, and resolves when it has been broken for long enough. */
  readonly breakLink: () => Promise<void>;
}

async function underFault(cluster: LocalCluster, fault: Fault, context: DrillContext): Promise<void> {
  const { gateways } = cluster;
  await withCallers([...probeCallersOf(gateways), ...loadCallersOf(gateways)], async (callers) => {
    const { signal } = context;
    await everyCallerSees(callers, ["allowed"], { withinMs: SEEN_WITHIN_MS, signal });
    const brokenAtMs = performance.now();
    const broken = fault.breakLink();
    // It is awaited below; until then its failure waits, too.
    broken.catch(() => undefined);
    try {
      const activation = await activateSwitch(fault.first.api, { scope: "agent", target_id: DRILL_AGENT });
      await underSwitch({ gateways, fault, callers, activation, broken, brokenAtMs }, context);
    } catch (error) {
      context.checks.push(undoneStep(error, { id: "kill_accepted", subject: fault.subject }));
      await broken;
    } finally {
      fault.victim.link.set(WHOLE);
    }
    await everyCallerSees(callers, ["allowed"], { withinMs: BACK_WITHIN_MS, signal });
  });
}

interface SwitchedStep {
  readonly gateways: readonly DrillGateway[];
  readonly fault: Fault;
  readonly callers: readonly Caller[];
  readonly activation: DrillSwitch;
  readonly broken: Promise<void>;
  readonly brokenAtMs: number;
}

async function underSwitch(step: SwitchedStep, { signal, checks }: DrillContext): Promise<void> {
  const { gateways, callers, activation, brokenAtMs, fault } = step;
  const { victim, subject, first } = fault;
  const callersOf = (id: string) => {
    const index = gateways.findIndex((one) => one.id === id);
    return [callers[index], callers[gateways.length + index]].filter((caller) => caller !== undefined);
  };
  let endedAtMs = 0;
  let mendedAtMs = 0;
  let watchedUntilMs = 0;
  try {
    await step.broken;
    mendedAtMs = performance.now();
    victim.link.set(WHOLE);
    const [probe, load] = callersOf(victim.id);
    const back = { withinMs: BACK_WITHIN_MS, signal };
    if (load !== undefined) await everyCallerSees([load], ["allowed"], back);
    if (probe !== undefined) await everyCallerSees([probe], ["stopped"], back);
    watchedUntilMs = performance.now();
  } finally {
    endedAtMs = performance.now();
    await endSwitch(first.api, activation.id);
  }
  const [probe, load] = callersOf(victim.id).map(({ observations }) => observations);
  const window = { gateway: victim.id, subject, observations: load ?? [] };
  if (subject !== "flapping") {
    checks.push(judgeLease({ ...window, brokenAtMs, mendedAtMs }));
    checks.push(
      judgeLease({
        ...window,
        subject: `${subject}, stopped agent`,
        brokenAtMs,
        mendedAtMs,
        observations: probe ?? [],
      }),
    );
    checks.push(judgeSilentGateway({ subject, gateway: victim.id, activation }));
  }
  for (const [index, { id }] of gateways.entries())
    checks.push(
      judgeStop({
        gateway: id,
        subject,
        activation,
        endedAtMs,
        observations: callers[index]?.observations ?? [],
      }),
    );
  checks.push(judgeReturn({ ...window, mendedAtMs, watchedUntilMs }));
}
