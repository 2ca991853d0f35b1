import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import { activateSwitch, type DrillTarget, endSwitch } from "../api/kill-switches.ts";
import type { CallerOptions } from "../caller.ts";
import { judgeAnswers } from "../judge/judge-answers.ts";
import { judgePropagation, judgeReported, judgeStop } from "../judge/judge-kill.ts";
import { BACK_WITHIN_MS, judgeReturn } from "../judge/judge-return.ts";
import { DRILL_AGENT, type LocalCluster } from "../local/local-cluster.ts";
import { pause } from "../pause.ts";
import { loadCallersOf, probeCallersOf } from "./callers-of-gateways.ts";
import { type DrillContext, everyCallerSees } from "./drill-context.ts";
import { withCallers } from "./with-callers.ts";

/** Rounds for each scope, as count: each gateway activates at least one in a cluster of three. */
const ROUNDS = 3;

/** Milliseconds in which every gateway must have been seen to deny, or the step measures nothing. */
const SEEN_WITHIN_MS = 5_000;

/** What each kind of switch stops, and the calls that it stops. */
const SCOPES = ["agent", "session", "tool", "namespace", "global"] as const;
type Scope = (typeof SCOPES)[number];

/**
 * Stops calls by every kind of switch, and times how long each gateway lets them go on. A scope in which a
 * check failed gets no further round.
 */
export async function drillKill(cluster: LocalCluster, context: DrillContext): Promise<void> {
  await withCallers(loadCallersOf(cluster.gateways), async (load) => {
    for (const scope of SCOPES) {
      for (let round = 0; round < ROUNDS; round += 1) {
        context.onProgress(`kill by ${scope}, round ${String(round + 1)} of ${String(ROUNDS)}`);
        await killOnce(cluster, { scope, round }, context);
        if (context.checks.some(({ subject, verdict }) => subject === scope && verdict === "failed")) break;
      }
    }
    context.checks.push(
      judgeAnswers(
        "ordinary calls",
        load.flatMap(({ observations }) => observations),
      ),
    );
  });
}

interface Step {
  readonly scope: Scope;
  readonly round: number;
}

async function killOnce(
  { gateways }: LocalCluster,
  { scope, round }: Step,
  { signal, checks, targetMs }: DrillContext,
): Promise<void> {
  const activating = gateways[round % gateways.length]?.api;
  if (activating === undefined) return;
  const subject = scope;
  await withCallers(
    gateways.flatMap((one) => probeCallersOf([one]).map((probe) => narrowed(probe, scope))),
    async (probes) => {
      await everyCallerSees(probes, ["allowed"], { withinMs: SEEN_WITHIN_MS, signal });
      const activation = await activateSwitch(activating, targetOf(scope));
      let endedAtMs = 0;
      try {
        await pause(activation.enforced ? 0 : CONTROL_LEASE_MS, signal);
        await everyCallerSees(probes, ["stopped"], { withinMs: SEEN_WITHIN_MS, signal });
      } finally {
        endedAtMs = performance.now();
        await endSwitch(activating, activation.id);
      }
      const mendedAtMs = performance.now();
      await everyCallerSees(probes, ["allowed"], { withinMs: BACK_WITHIN_MS, signal });
      const watchedUntilMs = performance.now();
      checks.push(
        judgeReported({ activation, subject }, { gateways: gateways.map(({ id }) => id), targetMs }),
      );
      for (const [index, { id: gateway }] of gateways.entries()) {
        const observations = probes[index]?.observations ?? [];
        const window = { gateway, subject, activation, endedAtMs, observations };
        checks.push(judgeStop(window), judgePropagation(window, targetMs));
        checks.push(judgeReturn({ gateway, subject, mendedAtMs, watchedUntilMs, observations }));
      }
    },
  );
}

/** One session at every gateway, so that a switch of a session stops the calls to each of them. */
const SESSION = "drill-session";
const NAMESPACE = "drill-namespace";
const TOOL = "drill.stopped";

function narrowed(probe: CallerOptions, scope: Scope): CallerOptions {
  switch (scope) {
    case "session":
      return { ...probe, call: { ...probe.call, session_id: SESSION } };
    case "tool":
      return { ...probe, call: { ...probe.call, tool: TOOL } };
    case "namespace":
      return { ...probe, call: { ...probe.call, namespace: NAMESPACE } };
    case "agent":
    case "global":
      return probe;
  }
}

function targetOf(scope: Scope): DrillTarget {
  switch (scope) {
    case "agent":
      return { scope, target_id: DRILL_AGENT };
    case "session":
      return { scope, target_id: SESSION };
    case "tool":
      return { scope, target_id: TOOL };
    case "namespace":
      return { scope, target_id: NAMESPACE };
    case "global":
      return { scope };
  }
}
