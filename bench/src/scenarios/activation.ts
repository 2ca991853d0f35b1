import { executeBodies } from "../benchmark-calls.ts";
import { BENCH_AGENT, benchmarkPolicy } from "../benchmark-policy.ts";
import { atMost, type Figure, figure } from "../figure.ts";
import { createPolicy, post } from "../peers/api.ts";
import { startProduct } from "../peers/start-product.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { quantile } from "../statistics.ts";

/** Switches that are activated in one round, as count. */
const ACTIVATIONS = 40;

/** Connections of the load behind which switches are activated, as count. */
const LOAD_CONNECTIONS = 64;

/** Longest wait in milliseconds for a switch to be enforced. */
const DEADLINE_MS = 5_000;

const BODIES = 200;

export const activation: Scenario = {
  name: "activation",
  title: "From sending a kill switch to the first denied call, over HTTP, one process",
  run: async (bench) => {
    const { ready: url } = await startProduct(bench);
    await createPolicy(url, benchmarkPolicy({ walkedRules: 20 }));
    await activateMany(url, "warm-up");
    const idle = await rounds(bench, (round) => activateMany(url, `idle-${round}`));
    const busy = await rounds(bench, (round) => activateUnderLoad(bench, url, `busy-${round}`));
    return {
      kind: "measured",
      figures: [...figuresOf("idle", idle), ...figuresOf(`${LOAD_CONNECTIONS} connections of load`, busy)],
      notes: [
        "enforced: a probe that calls without pause got its first deny; answered: the activation said so",
      ],
    };
  },
};

interface Latencies {
  readonly enforcedMs: number;
  readonly answeredMs: number;
}

async function rounds(bench: Bench, run: (round: number) => Promise<Latencies[]>): Promise<Latencies[][]> {
  const results: Latencies[][] = [];
  for (let round = 0; round < bench.rounds; round += 1) results.push(await run(round));
  return results;
}

async function activateMany(url: string, prefix: string): Promise<Latencies[]> {
  const latencies: Latencies[] = [];
  for (let at = 0; at < ACTIVATIONS; at += 1) latencies.push(await activateOne(url, `${prefix}-${at}`));
  return latencies;
}

async function activateUnderLoad(bench: Bench, url: string, prefix: string): Promise<Latencies[]> {
  const executeUrl = `${url}/api/v1/gateway/execute`;
  const bodies = executeBodies(BODIES, BODIES);
  const load = bench.generator.run(
    { url: executeUrl, connections: LOAD_CONNECTIONS, seconds: bench.seconds, bodies },
    bench.cleanup,
  );
  const [latencies] = await Promise.all([activateMany(url, prefix), load]);
  return latencies;
}

/** @throws when a call sent after the activation was answered is still allowed: that would be a lie. */
export async function activateOne(url: string, session: string): Promise<Latencies> {
  const startedMs = performance.now();
  let answeredMs = Number.POSITIVE_INFINITY;
  const activated = activate(url, session).then(() => {
    answeredMs = performance.now() - startedMs;
  });
  for (;;) {
    const sentMs = performance.now() - startedMs;
    const decision = await probe(url, session);
    if (decision === "deny") break;
    if (sentMs > answeredMs)
      throw new Error(`session ${session} was allowed after its switch was reported active`);
    if (sentMs > DEADLINE_MS) throw new Error(`session ${session} was not stopped within ${DEADLINE_MS} ms`);
  }
  const enforcedMs = performance.now() - startedMs;
  await activated;
  return { enforcedMs, answeredMs };
}

async function activate(url: string, session: string): Promise<void> {
  const request = { scope: "session", target_id: session, reason: "benchmark", activated_by: "bench" };
  await post(`${url}/api/v1/kill-switch`, JSON.stringify(request), { wanted: 201 });
}

async function probe(url: string, session: string): Promise<unknown> {
  const call = { agent_id: BENCH_AGENT, session_id: session, tool: "payments.refund", args: {} };
  const verdict = (await post(`${url}/api/v1/gateway/execute`, JSON.stringify(call))) as {
    decision: unknown;
  };
  return verdict.decision;
}

function figuresOf(name: string, results: readonly (readonly Latencies[])[]): Figure[] {
  const share = (of: (latencies: Latencies) => number, wanted: number): number[] =>
    results.map((round) => quantile(round.map(of), wanted));
  return [
    figure(
      `${name}: enforced, p50`,
      "ms",
      share(({ enforcedMs }) => enforcedMs, 0.5),
    ),
    figure(
      `${name}: enforced, p99`,
      "ms",
      share(({ enforcedMs }) => enforcedMs, 0.99),
      atMost(25),
    ),
    figure(
      `${name}: answered, p50`,
      "ms",
      share(({ answeredMs }) => answeredMs, 0.5),
    ),
    figure(
      `${name}: answered, p99`,
      "ms",
      share(({ answeredMs }) => answeredMs, 0.99),
    ),
  ];
}
