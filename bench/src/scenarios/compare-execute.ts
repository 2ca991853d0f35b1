import { executeBodies } from "../benchmark-calls.ts";
import { benchmarkPolicy } from "../benchmark-policy.ts";
import { atLeast, atMost, type Figure, figure } from "../figure.ts";
import type { LoadResult } from "../load/load-generator.ts";
import { countedDecisions, createPolicy, post } from "../peers/api.ts";
import { startBareServer } from "../peers/start-bare-server.ts";
import { startProduct } from "../peers/start-product.ts";
import type { Bench } from "../scenario.ts";
import { ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";

/** Connections that stay open, as count (specification of the targets). */
const CONNECTIONS = 64;

/** Different request bodies, as count, and the sessions that they name. */
const BODIES = 4_000;
const SESSIONS = 1_000;

const RULES = 20;

/** Seconds of load before anything counts: the compilers settle, files and pools grow. */
const WARM_UP_SECONDS = 4;

export interface ExecuteVariant {
  readonly name: string;
  readonly ceilings: boolean;
  readonly env: Readonly<Record<string, string>>;
}

/** Execute with its durable audit row, beside a bare server that answers as many bytes and keeps nothing. */
export async function compareExecute(
  bench: Bench,
  { name, ceilings, env }: ExecuteVariant,
): Promise<Figure[]> {
  const bodies = executeBodies(BODIES, SESSIONS);
  const product = await startProduct(bench, env);
  await createPolicy(product.url, benchmarkPolicy({ walkedRules: RULES, ceilings }));
  const executeUrl = `${product.url}/api/v1/gateway/execute`;
  const verdict = (await post(executeUrl, bodies[0] ?? "")) as object;
  const bareUrl = await startBareServer(verdict, bench.cleanup);

  const load = (url: string, seconds: number): Promise<LoadResult> =>
    bench.generator.run({ url, connections: CONNECTIONS, seconds, bodies });
  for (const url of [bareUrl, executeUrl]) await load(url, WARM_UP_SECONDS);
  bench.say(`${name}: warm, ${bench.rounds} rounds of 2 x ${bench.seconds} s`);
  const [bare = [], governed = []] = await takeTurns(bench.rounds, [
    () => load(bareUrl, bench.seconds),
    () => load(executeUrl, bench.seconds),
  ]);
  await requireOnlyAllows(product.url);
  await product.stop();
  return figuresOf(name, bare, governed);
}

function figuresOf(name: string, bare: readonly LoadResult[], governed: readonly LoadResult[]): Figure[] {
  const rate = ({ requestsPerSecond }: LoadResult): number => requestsPerSecond;
  const p50 = ({ p50Ms }: LoadResult): number => p50Ms;
  const p99 = ({ p99Ms }: LoadResult): number => p99Ms;
  const over = (of: (result: LoadResult) => number): number[] => ratios(governed.map(of), bare.map(of));
  return [
    figure(`${name}: requests/s, governed to bare`, "ratio", over(rate), atLeast(0.6)),
    figure(`${name}: p50, governed to bare`, "ratio", over(p50)),
    figure(`${name}: p99, governed to bare`, "ratio", over(p99), atMost(3)),
    figure(`${name}: bare`, "1/s", bare.map(rate)),
    figure(`${name}: governed`, "1/s", governed.map(rate)),
    figure(`${name}: bare p99`, "ms", bare.map(p99)),
    figure(`${name}: governed p99`, "ms", governed.map(p99)),
  ];
}

/** A deny can be cheaper than an allow: figures over denies would say nothing. */
async function requireOnlyAllows(url: string): Promise<void> {
  const counts = await countedDecisions(url);
  const others = [...counts].filter(([decision, count]) => decision !== "allow" && count > 0);
  if (others.length > 0 || !counts.has("allow")) {
    throw new Error(`expected allows only, found ${JSON.stringify(Object.fromEntries(counts))}`);
  }
}
