import { benchmarkRego } from "../benchmark-rego.ts";
import { atLeast, type Figure, figure, type Target } from "../figure.ts";
import type { TimedResult } from "../load/timed-load.ts";
import { post } from "../peers/api.ts";
import { startOpa } from "../peers/start-opa.ts";
import type { Bench } from "../scenario.ts";
import { ratios } from "../statistics.ts";
import { all, p99, rate } from "./execute-figures.ts";

/** Open Policy Agent with the rules of the benchmark. It keeps nothing durable. */
export interface OpaSide {
  readonly name: string;
  readonly url: string;
  readonly bodies: readonly string[];
  readonly pid: number;
  /** How many times its requests/s the governed side must reach. */
  readonly target: Target;
  stop(): Promise<void>;
}

export interface OpaSidesOptions {
  readonly program: string;
  readonly calls: readonly string[];
  readonly rules: number;
}

/** One that is silent, and one that writes each decision to its console. */
export async function startOpaSides(
  bench: Bench,
  { program, calls, rules }: OpaSidesOptions,
): Promise<OpaSide[]> {
  const bodies = calls.map((call) => `{"input":${call}}`);
  const start = async (name: string, decisionLog: boolean, target: Target): Promise<OpaSide> => {
    const server = await startOpa(bench, { program, module: benchmarkRego(rules), decisionLog });
    const url = `${new URL(server.ready).origin}/v1/data/bench/decision`;
    await requireAllow(url, bodies[0] ?? "");
    return { name, url, bodies, pid: server.pid, target, stop: () => server.stop() };
  };
  return [
    await start("OPA without a decision log", false, atLeast(2.5)),
    await start("OPA with its console log", true, atLeast(5)),
  ];
}

export function opaFigures(
  name: string,
  { name: opa, target }: OpaSide,
  theirs: readonly TimedResult[],
  ours: readonly TimedResult[],
): Figure[] {
  const over = (of: (turn: TimedResult) => number): number[] => ratios(ours.map(of), theirs.map(of));
  return [
    figure(`${name}: requests/s, governed to ${opa}`, "ratio", over(rate), target),
    figure(`${name}: p99, governed to ${opa}`, "ratio", over(p99)),
    figure(`${name}: ${opa}`, "1/s", theirs.map(rate)),
    figure(`${name}: ${opa}, p99`, "ms", theirs.map(p99)),
    ...(theirs.some(({ cpu }) => cpu === null)
      ? []
      : [figure(`${name}: ${opa}, all threads per request`, "us", theirs.map(all))]),
  ];
}

async function requireAllow(url: string, body: string): Promise<void> {
  const answer = (await post(url, body)) as { readonly result?: { readonly decision?: unknown } };
  if (answer.result?.decision !== "allow")
    throw new Error(`expected OPA to allow, found ${JSON.stringify(answer)}`);
}
