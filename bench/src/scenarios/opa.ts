import { executeBodies } from "../benchmark-calls.ts";
import { benchmarkPolicy } from "../benchmark-policy.ts";
import { benchmarkRego } from "../benchmark-rego.ts";
import { type Figure, figure } from "../figure.ts";
import { findProgram } from "../find-program.ts";
import type { LoadResult } from "../load/load-generator.ts";
import { createPolicy, post } from "../peers/api.ts";
import { startOpa } from "../peers/start-opa.ts";
import { startProduct } from "../peers/start-product.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";

const CONNECTIONS = 64;
const BODIES = 4_000;
const SESSIONS = 1_000;
const RULES = 20;
const WARM_UP_SECONDS = 4;

export const opa: Scenario = {
  name: "opa",
  title: "Execute with durable audit, beside an OPA server with the same rules, which keeps nothing durable",
  run: async (bench) => {
    const program = findProgram("opa");
    if (program === null) return { kind: "not_measured", reason: "opa is not on PATH" };
    const silent = await compareOpa(bench, program, false);
    const logging = await compareOpa(bench, program, true);
    return {
      kind: "measured",
      figures: [...silent, ...logging],
      notes: ["OPA uses every core, Node mostly one"],
    };
  },
};

async function compareOpa(bench: Bench, program: string, decisionLog: boolean): Promise<Figure[]> {
  const calls = executeBodies(BODIES, SESSIONS);
  const product = await startProduct(bench);
  await createPolicy(product.ready, benchmarkPolicy({ walkedRules: RULES }));
  const server = await startOpa(bench, { program, module: benchmarkRego(RULES), decisionLog });
  const opaSide = {
    url: `${new URL(server.ready).origin}/v1/data/bench/decision`,
    bodies: calls.map((call) => `{"input":${call}}`),
  };
  const ourSide = { url: `${product.ready}/api/v1/gateway/execute`, bodies: calls };
  await requireAllow(opaSide.url, opaSide.bodies[0] ?? "");

  const run = (side: typeof opaSide, seconds: number): Promise<LoadResult> =>
    bench.generator.run({ ...side, connections: CONNECTIONS, seconds }, bench.cleanup);
  for (const side of [opaSide, ourSide]) await run(side, WARM_UP_SECONDS);
  const [theirs = [], ours = []] = await takeTurns(bench.rounds, [
    () => run(opaSide, bench.seconds),
    () => run(ourSide, bench.seconds),
  ]);
  await server.stop();
  await product.stop();
  return figuresOf(decisionLog ? "decision log to console" : "no decision log", theirs, ours);
}

async function requireAllow(url: string, body: string): Promise<void> {
  const answer = (await post(url, body)) as { readonly result?: { readonly decision?: unknown } };
  if (answer.result?.decision !== "allow")
    throw new Error(`expected OPA to allow, found ${JSON.stringify(answer)}`);
}

function figuresOf(name: string, theirs: readonly LoadResult[], ours: readonly LoadResult[]): Figure[] {
  const rate = ({ requestsPerSecond }: LoadResult): number => requestsPerSecond;
  const p99 = ({ p99Ms }: LoadResult): number => p99Ms;
  return [
    figure(`${name}: requests/s, governed to OPA`, "ratio", ratios(ours.map(rate), theirs.map(rate))),
    figure(`${name}: p99, governed to OPA`, "ratio", ratios(ours.map(p99), theirs.map(p99))),
    figure(`${name}: OPA`, "1/s", theirs.map(rate)),
    figure(`${name}: governed`, "1/s", ours.map(rate)),
  ];
}
