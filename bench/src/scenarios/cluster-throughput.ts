import { findPostgresPrograms } from "@svc/process/find-postgres-programs";
import { executeBodies } from "../benchmark-calls.ts";
import { benchmarkPolicy } from "../benchmark-policy.ts";
import { type Figure, figure } from "../figure.ts";
import type { LoadResult } from "../load/load-generator.ts";
import { countedDecisions, createPolicy } from "../peers/api.ts";
import { type BenchCluster, startCluster } from "../peers/start-cluster.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";

/** Gateways that share the load, as count. */
const SIZES = [1, 2, 4] as const;

/** Connections to all gateways together, as count. */
const CONNECTIONS = 64;

const BODIES = 4_000;
const SESSIONS = 1_000;
const RULES = 20;
const WARM_UP_SECONDS = 3;

/** What the gateways do together in one turn. */
interface Turn {
  readonly rate: number;
  /** Of the slowest gateway. */
  readonly p99Ms: number;
}

export const clusterThroughput: Scenario = {
  name: "cluster-throughput",
  title: "Execute at 1, 2 and 4 gateways, a process each, on one PostgreSQL and the same cores",
  run: async (bench) => {
    if (findPostgresPrograms() === null)
      return { kind: "not_measured", reason: "this machine has no PostgreSQL" };
    const figures: Figure[] = [];
    for (const ceilings of [false, true]) figures.push(...(await measure(bench, ceilings)));
    return {
      kind: "measured",
      figures,
      notes: [
        `${CONNECTIONS} connections are divided among the gateways; generator and database share the cores`,
      ],
    };
  },
};

async function measure(bench: Bench, ceilings: boolean): Promise<Figure[]> {
  const name = ceilings ? "20 rules, ceilings, 1,000 sessions at every gateway" : "20 rules";
  const cluster = await startCluster(bench);
  await cluster.grow(Math.max(...SIZES));
  await createPolicy(cluster.controlUrl, benchmarkPolicy({ walkedRules: RULES, ceilings }));
  const bodies = executeBodies(BODIES, SESSIONS);
  const turnOf = (size: number, seconds: number) => () => load(bench, cluster, { size, seconds, bodies });
  await turnOf(Math.max(...SIZES), WARM_UP_SECONDS)();
  bench.say(`${name}: warm, ${bench.rounds} rounds of ${SIZES.length} x ${bench.seconds} s`);
  const sides = SIZES.map((size) => turnOf(size, bench.seconds));
  const results = await takeTurns(bench.rounds, sides);
  for (const { ready } of cluster.gateways) await requireOnlyAllows(ready);
  await cluster.stop();
  const [one = [], ...others] = results;
  const rate = (turns: readonly Turn[]): number[] => turns.map((each) => each.rate);
  const p99 = (turns: readonly Turn[]): number[] => turns.map((each) => each.p99Ms);
  return [
    ...others.map((turns, at) =>
      figure(`${name}: requests/s, ${SIZES[at + 1]} gateways to 1`, "ratio", ratios(rate(turns), rate(one))),
    ),
    ...others.map((turns, at) =>
      figure(`${name}: p99, ${SIZES[at + 1]} gateways to 1`, "ratio", ratios(p99(turns), p99(one))),
    ),
    ...results.map((turns, at) => figure(`${name}: ${SIZES[at]} gateways`, "1/s", rate(turns))),
  ];
}

interface SharedLoad {
  readonly size: number;
  readonly seconds: number;
  readonly bodies: readonly string[];
}

async function load(
  { generator, cleanup }: Bench,
  { gateways }: BenchCluster,
  { size, seconds, bodies }: SharedLoad,
): Promise<Turn> {
  const connections = CONNECTIONS / size;
  const results: readonly LoadResult[] = await Promise.all(
    gateways
      .slice(0, size)
      .map(({ ready }) =>
        generator.run({ url: `${ready}/api/v1/gateway/execute`, connections, seconds, bodies }, cleanup),
      ),
  );
  return {
    rate: results.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0),
    p99Ms: Math.max(...results.map(({ p99Ms }) => p99Ms)),
  };
}

/** A deny can be cheaper than an allow: figures over denies would say nothing. */
async function requireOnlyAllows(url: string): Promise<void> {
  const counts = await countedDecisions(url);
  const others = [...counts].filter(([decision, count]) => decision !== "allow" && count > 0);
  if (others.length > 0) throw new Error(`expected allows only, found ${JSON.stringify(others)}`);
}
