import { executeBodies } from "../benchmark-calls.ts";
import { benchmarkPolicy } from "../benchmark-policy.ts";
import { atLeast, atMost, type Figure, figure } from "../figure.ts";
import { perRequestUs, runTimed, type TimedResult } from "../load/timed-load.ts";
import { countedDecisions, createPolicy, post } from "../peers/api.ts";
import { startBareServer } from "../peers/start-bare-server.ts";
import { startProduct } from "../peers/start-product.ts";
import type { Bench } from "../scenario.ts";
import { ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";

/** Connections that stay open, as count: what the targets are set for. */
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

/** Execute with its durable audit row, beside a bare server with answers of the same size and no store. */
export async function compareExecute(bench: Bench, variant: ExecuteVariant): Promise<Figure[]> {
  const { name, ceilings, env } = variant;
  const bodies = executeBodies(BODIES, SESSIONS);
  const product = await startProduct(bench, env);
  await createPolicy(product.ready, benchmarkPolicy({ walkedRules: RULES, ceilings }));
  const executeUrl = `${product.ready}/api/v1/gateway/execute`;
  const verdict = (await post(executeUrl, bodies[0] ?? "")) as object;
  const bareServer = await startBareServer(verdict, bench.cleanup);

  const sides = [
    { url: bareServer.ready, pid: bareServer.pid },
    { url: executeUrl, pid: product.pid },
  ].map(({ url, pid }) => (seconds: number) => {
    return runTimed(bench, { url, bodies, seconds, connections: CONNECTIONS }, pid);
  });
  for (const side of sides) await side(WARM_UP_SECONDS);
  bench.say(`${name}: warm, ${bench.rounds} rounds of 2 x ${bench.seconds} s`);
  const turns = sides.map((side) => () => side(bench.seconds));
  const [bare = [], governed = []] = await takeTurns(bench.rounds, turns);
  await requireOnlyAllows(product.ready);
  await Promise.all([product.stop(), bareServer.stop()]);
  return [...figuresOf(name, bare, governed), ...cpuFigures(name, bare, governed)];
}

function figuresOf(name: string, bare: readonly TimedResult[], governed: readonly TimedResult[]): Figure[] {
  const rate = ({ requestsPerSecond }: TimedResult): number => requestsPerSecond;
  const p50 = ({ p50Ms }: TimedResult): number => p50Ms;
  const p99 = ({ p99Ms }: TimedResult): number => p99Ms;
  const over = (of: (turn: TimedResult) => number): number[] => ratios(governed.map(of), bare.map(of));
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

/** Processor time per request: what remains comparable while others use the machine too. */
function cpuFigures(name: string, bare: readonly TimedResult[], governed: readonly TimedResult[]): Figure[] {
  const main = (turn: TimedResult): number => perRequestUs(turn, turn.cpu?.mainThreadMs);
  const all = (turn: TimedResult): number => perRequestUs(turn, turn.cpu?.allThreadsMs);
  if ([...bare, ...governed].some(({ cpu }) => cpu === null)) return [];
  return [
    figure(
      `${name}: serving thread's processor time, governed to bare`,
      "ratio",
      ratios(governed.map(main), bare.map(main)),
    ),
    figure(`${name}: bare, serving thread per request`, "us", bare.map(main)),
    figure(`${name}: governed, serving thread per request`, "us", governed.map(main)),
    figure(`${name}: governed, all threads per request`, "us", governed.map(all)),
  ];
}

/** A deny can be cheaper than an allow: figures over denies would say nothing. */
async function requireOnlyAllows(url: string): Promise<void> {
  const counts = await countedDecisions(url);
  const others = [...counts].filter(([decision, count]) => decision !== "allow" && count > 0);
  if (others.length > 0 || (counts.get("allow") ?? 0) === 0) {
    throw new Error(`expected allows only, found ${JSON.stringify(Object.fromEntries(counts))}`);
  }
}
