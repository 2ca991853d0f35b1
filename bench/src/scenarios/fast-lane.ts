import { executeBodies } from "../benchmark-calls.ts";
import { benchmarkPolicy } from "../benchmark-policy.ts";
import { type Figure, figure } from "../figure.ts";
import { perRequestUs, runTimed, type TimedResult } from "../load/timed-load.ts";
import { createPolicy, post } from "../peers/api.ts";
import { startBareServer } from "../peers/start-bare-server.ts";
import { startProduct } from "../peers/start-product.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";

/** Connections that stay open, as count. */
const CONNECTIONS = 64;

/** Different request bodies, as count, and the sessions that they name. */
const BODIES = 4_000;
const SESSIONS = 1_000;

const RULES = 20;

/** Seconds of load before anything counts. */
const WARM_UP_SECONDS = 4;

export const fastLane: Scenario = {
  name: "fast-lane",
  title: "Execute with and without the lane in front of the HTTP parser, in turns with bare node:http",
  run: async (bench) => ({ kind: "measured", figures: await compare(bench), notes: [] }),
};

async function compare(bench: Bench): Promise<Figure[]> {
  const bodies = executeBodies(BODIES, SESSIONS);
  const [on, off] = [await startSide(bench, "on"), await startSide(bench, "off")];
  const verdict = (await post(on.url, bodies[0] ?? "")) as object;
  const bareServer = await startBareServer(verdict, bench.cleanup);
  const bare = { url: bareServer.ready, pid: bareServer.pid };
  const sides = [bare, on, off].map(
    ({ url, pid }) =>
      (seconds: number) =>
        runTimed(bench, { url, bodies, seconds, connections: CONNECTIONS }, pid),
  );
  for (const side of sides) await side(WARM_UP_SECONDS);
  const turns = sides.map((side) => () => side(bench.seconds));
  const [bareTurns = [], onTurns = [], offTurns = []] = await takeTurns(bench.rounds, turns);
  return [...figuresOf("on", onTurns, bareTurns), ...figuresOf("off", offTurns, bareTurns)];
}

async function startSide(bench: Bench, setting: "on" | "off") {
  const product = await startProduct(bench, { SVC_FAST_LANE: setting });
  await createPolicy(product.ready, benchmarkPolicy({ walkedRules: RULES, ceilings: false }));
  return { url: `${product.ready}/api/v1/gateway/execute`, pid: product.pid };
}

function figuresOf(name: string, turns: readonly TimedResult[], bare: readonly TimedResult[]): Figure[] {
  const rate = ({ requestsPerSecond }: TimedResult): number => requestsPerSecond;
  const main = (turn: TimedResult): number => perRequestUs(turn, turn.cpu?.mainThreadMs);
  return [
    figure(`lane ${name}: requests/s to bare`, "ratio", ratios(turns.map(rate), bare.map(rate))),
    figure(`lane ${name}: serving thread to bare`, "ratio", ratios(turns.map(main), bare.map(main))),
    figure(`lane ${name}: serving thread per request`, "us", turns.map(main)),
  ];
}
