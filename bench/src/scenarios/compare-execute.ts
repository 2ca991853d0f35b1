import { executeBodies } from "../benchmark-calls.ts";
import { benchmarkPolicy } from "../benchmark-policy.ts";
import type { Figure } from "../figure.ts";
import { runTimed } from "../load/timed-load.ts";
import { countedDecisions, createPolicy, post } from "../peers/api.ts";
import { startBareServer } from "../peers/start-bare-server.ts";
import { startProduct } from "../peers/start-product.ts";
import type { Bench } from "../scenario.ts";
import { takeTurns } from "../take-turns.ts";
import { type ExecuteTargets, executeFigures } from "./execute-figures.ts";
import { opaFigures, startOpaSides } from "./opa-sides.ts";

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
  readonly targets: ExecuteTargets;
  /** The program of Open Policy Agent, which then takes its turns too; null: without it. */
  readonly opa: string | null;
}

/** Execute with its durable audit row, beside a bare server with answers of the same size and no store. */
export async function compareExecute(bench: Bench, variant: ExecuteVariant): Promise<Figure[]> {
  const { name, ceilings, env, targets, opa } = variant;
  const calls = executeBodies(BODIES, SESSIONS);
  const product = await startProduct(bench, env);
  await createPolicy(product.ready, benchmarkPolicy({ walkedRules: RULES, ceilings }));
  const executeUrl = `${product.ready}/api/v1/gateway/execute`;
  const verdict = (await post(executeUrl, calls[0] ?? "")) as object;
  const bareServer = await startBareServer(verdict, bench.cleanup);
  const opaSides = opa === null ? [] : await startOpaSides(bench, { program: opa, calls, rules: RULES });

  const sides = [
    { url: bareServer.ready, pid: bareServer.pid, bodies: calls },
    { url: executeUrl, pid: product.pid, bodies: calls },
    ...opaSides,
  ].map(({ url, pid, bodies }) => (seconds: number) => {
    return runTimed(bench, { url, bodies, seconds, connections: CONNECTIONS }, pid);
  });
  for (const side of sides) await side(WARM_UP_SECONDS);
  bench.say(`${name}: warm, ${bench.rounds} rounds of ${sides.length} x ${bench.seconds} s`);
  const turns = sides.map((side) => () => side(bench.seconds));
  const [bare = [], governed = [], ...theirs] = await takeTurns(bench.rounds, turns);
  await requireOnlyAllows(product.ready);
  await Promise.all([product, bareServer, ...opaSides].map((server) => server.stop()));
  const besideOpa = opaSides.flatMap((side, at) => opaFigures(name, side, theirs[at] ?? [], governed));
  return [...executeFigures({ name, bare, governed }, targets), ...besideOpa];
}

/** A deny can be cheaper than an allow: figures over denies would say nothing. */
async function requireOnlyAllows(url: string): Promise<void> {
  const counts = await countedDecisions(url);
  const others = [...counts].filter(([decision, count]) => decision !== "allow" && count > 0);
  if (others.length > 0 || (counts.get("allow") ?? 0) === 0) {
    throw new Error(`expected allows only, found ${JSON.stringify(Object.fromEntries(counts))}`);
  }
}
