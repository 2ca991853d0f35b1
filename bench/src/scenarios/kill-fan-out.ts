import { join } from "node:path";
import { findPostgresPrograms } from "@svc/process/find-postgres-programs";
import { executeBodies } from "../benchmark-calls.ts";
import { BENCH_AGENT, benchmarkPolicy } from "../benchmark-policy.ts";
import { atMost, type Figure, figure, type Target } from "../figure.ts";
import { startNotifyRoundTrips } from "../notify-round-trips.ts";
import { createPolicy, post } from "../peers/api.ts";
import { type BenchCluster, startCluster } from "../peers/start-cluster.ts";
import { startPeer } from "../peers/start-peer.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { quantile, ratios } from "../statistics.ts";

/** Gateways, as count: a process each. */
const SIZES = [1, 5, 10, 20] as const;

/** The size that the targets are set for. */
const TARGET_SIZE = 10;

/** Switches that are activated in one round, as count. */
const ACTIVATIONS = 100;

const WARM_UP_ACTIVATIONS = 30;

/** Calls a second to all gateways together, of the steady load. */
const STEADY_RATE = 300;

/** Connections to all gateways together, of the load that takes every core. */
const BUSY_CONNECTIONS = 64;

const BODIES = 200;

const CALLER = join(import.meta.dirname, "..", "peers", "steady-caller.ts");

export const killFanOut: Scenario = {
  name: "kill-fan-out",
  title: "A kill switch at 1 to 20 gateways, a process each, on one PostgreSQL, beside a bare NOTIFY",
  run: async (bench) => {
    if (findPostgresPrograms() === null)
      return { kind: "not_measured", reason: "this machine has no PostgreSQL" };
    const cluster = await startCluster(bench);
    await cluster.grow(1);
    await createPolicy(cluster.controlUrl, benchmarkPolicy({ walkedRules: 20 }));
    const figures: Figure[] = [];
    for (const size of SIZES) {
      await cluster.grow(size);
      bench.say(`${size} gateways`);
      figures.push(...(await measure(bench, cluster, size)));
    }
    return { kind: "measured", figures, notes: NOTES };
  },
};

const NOTES = [
  "acknowledged: from the request to the last acknowledgement (`propagation_ms`), in whole milliseconds",
  "answered: from sending the request to its whole answer, with who was calling lately",
  "bare: from one NOTIFY until as many listeners have answered with another; nothing is read or written",
  `steady: ${STEADY_RATE} calls/s to all gateways; busy: ${BUSY_CONNECTIONS} connections without a pause`,
  "every gateway is asked afterwards, and the run fails when one of them still allows the call",
];

interface Activation {
  readonly acknowledgedMs: number;
  readonly answeredMs: number;
  /** Gateways that had not acknowledged when the wait ended, as count. */
  readonly silent: number;
}

async function measure(bench: Bench, cluster: BenchCluster, size: number): Promise<Figure[]> {
  const bareTrips = await startNotifyRoundTrips(bench, cluster.databaseUrl, size);
  await bareTrips.run(WARM_UP_ACTIVATIONS);
  await activateMany(cluster, `warm-${size}`, WARM_UP_ACTIVATIONS);
  const bare: number[][] = [];
  const idle: Activation[][] = [];
  const steady: Activation[][] = [];
  const busy: Activation[][] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const name = (state: string): string => `${state}-${size}-${round}`;
    bare.push(await bareTrips.run(ACTIVATIONS));
    idle.push(await activateMany(cluster, name("idle"), ACTIVATIONS));
    steady.push(
      await besideSteadyLoad(bench, cluster, () => activateMany(cluster, name("steady"), ACTIVATIONS)),
    );
    busy.push(await besideBusyLoad(bench, cluster, name("busy")));
  }
  await bareTrips.stop();
  const [idleTarget, busyTarget] = size === TARGET_SIZE ? [atMost(25), atMost(100)] : [null, null];
  return [
    ...latencies(`${size}: bare`, bare),
    ...figuresOf(`${size}, idle`, idle, idleTarget),
    figure(
      `${size}, idle: acknowledged p50 to bare p50`,
      "ratio",
      ratios(
        idle.map((round) =>
          quantile(
            round.map(({ acknowledgedMs }) => acknowledgedMs),
            0.5,
          ),
        ),
        bare.map((round) => quantile(round, 0.5)),
      ),
    ),
    ...figuresOf(`${size}, steady`, steady, busyTarget),
    ...figuresOf(`${size}, busy`, busy, busyTarget),
  ];
}

function figuresOf(
  name: string,
  rounds: readonly (readonly Activation[])[],
  target: Target | null,
): Figure[] {
  const of = (value: (activation: Activation) => number): number[][] =>
    rounds.map((round) => round.map(value));
  const silent = rounds.map((round) => round.reduce((sum, activation) => sum + activation.silent, 0));
  return [
    ...latencies(
      `${name}: acknowledged`,
      of(({ acknowledgedMs }) => acknowledgedMs),
      target,
    ),
    ...latencies(
      `${name}: answered`,
      of(({ answeredMs }) => answeredMs),
    ).slice(0, 2),
    ...(silent.some((count) => count > 0)
      ? [figure(`${name}: silent gateways in a round`, "count", silent)]
      : []),
  ];
}

function latencies(
  name: string,
  rounds: readonly (readonly number[])[],
  target: Target | null = null,
): Figure[] {
  const share = (wanted: number): number[] => rounds.map((round) => quantile(round, wanted));
  return [
    figure(`${name}, p50`, "ms", share(0.5)),
    figure(`${name}, p99`, "ms", share(0.99), target),
    figure(`${name}, max`, "ms", share(1)),
  ];
}

async function activateMany(cluster: BenchCluster, prefix: string, count: number): Promise<Activation[]> {
  const activations: Activation[] = [];
  for (let at = 0; at < count; at += 1) activations.push(await activate(cluster, `${prefix}-${at}`));
  await requireDenied(cluster, `${prefix}-${count - 1}`);
  return activations;
}

/** Activates on a session that nobody else uses. */
async function activate({ controlUrl, gateways }: BenchCluster, session: string): Promise<Activation> {
  const request = { scope: "session", target_id: session, reason: "benchmark", activated_by: "bench" };
  const startedMs = performance.now();
  const answer = await post(`${controlUrl}/api/v1/kill-switch`, JSON.stringify(request), { wanted: 201 });
  const answeredMs = performance.now() - startedMs;
  const { propagation_ms: propagationMs, gateways: known } = answer as ActivationAnswer;
  if (known.length !== gateways.length)
    throw new Error(`expected ${gateways.length} gateways in the answer, found ${JSON.stringify(answer)}`);
  const silent = known.filter(({ acknowledged_ms }) => acknowledged_ms === null).length;
  // Null when no gateway has acknowledged in time: then the answer is what is known.
  return { acknowledgedMs: propagationMs ?? answeredMs, answeredMs, silent };
}

interface ActivationAnswer {
  readonly propagation_ms: number | null;
  readonly gateways: readonly { readonly acknowledged_ms: number | null }[];
}

/** @throws when a gateway allows a call that a switch stops: its acknowledgement would be a lie. */
async function requireDenied({ gateways }: BenchCluster, session: string): Promise<void> {
  const call = { agent_id: BENCH_AGENT, session_id: session, tool: "payments.refund", args: {} };
  for (const { ready } of gateways) {
    const verdict = await post(`${ready}/api/v1/gateway/execute`, JSON.stringify(call));
    if ((verdict as { readonly decision: unknown }).decision !== "deny")
      throw new Error(`${ready} allowed a call of the stopped session ${session}`);
  }
}

async function besideSteadyLoad<Result>(
  { cleanup }: Bench,
  { gateways }: BenchCluster,
  work: () => Promise<Result>,
): Promise<Result> {
  const urls = gateways.map(({ ready }) => ready);
  const caller = await startPeer(CALLER, [String(STEADY_RATE), ...urls], cleanup);
  const result = await work();
  await caller.stop();
  return result;
}

/** Activates for as long as the load lasts. */
async function besideBusyLoad(bench: Bench, cluster: BenchCluster, prefix: string): Promise<Activation[]> {
  const { gateways } = cluster;
  const bodies = executeBodies(BODIES, BODIES);
  const connections = Math.ceil(BUSY_CONNECTIONS / gateways.length);
  const { seconds } = bench;
  let isOver = false;
  const loads = gateways.map(({ ready }) => {
    const url = `${ready}/api/v1/gateway/execute`;
    return bench.generator.run({ url, connections, seconds, bodies }, bench.cleanup);
  });
  const load = Promise.all(loads).finally(() => {
    isOver = true;
  });
  const activations: Activation[] = [];
  const session = (at: number): string => `${prefix}-${at}`;
  for (let at = 0; !isOver || at === 0; at += 1) activations.push(await activate(cluster, session(at)));
  await load;
  await requireDenied(cluster, session(activations.length - 1));
  return activations;
}
