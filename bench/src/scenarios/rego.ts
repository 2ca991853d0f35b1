import { openRego, type PreparedRego } from "@svc/rego/rego-runtime";
import { canonicalJson } from "@svc/text/canonical-json";
import { benchmarkArgs } from "../benchmark-calls.ts";
import { BENCH_AGENT, BENCH_TOOL } from "../benchmark-policy.ts";
import { atLeast, atMost, type Figure, figure } from "../figure.ts";
import { perRequestUs, runTimed } from "../load/timed-load.ts";
import { post } from "../peers/api.ts";
import { findOpa } from "../peers/find-opa.ts";
import { startOpa } from "../peers/start-opa.ts";
import type { Bench, Scenario } from "../scenario.ts";
import { ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";

/** Evaluations under way at once where processor time is counted, as count. */
const AT_ONCE = 64;

/** Different inputs, as count. */
const INPUTS = 100;

/** Rules of the module, of which none holds. */
const RULES = 20;

const US_PER_MS = 1_000;

/** Milliseconds: what a busy machine makes late is part of the figure, and not a failure. */
const LIMIT_MS = 60_000;

interface Turn {
  /** Of one call after the other. */
  readonly p50Us: number;
  /** Processor time of one decision; NaN when it is not known. */
  readonly cpuUs: number;
  /** The same with that of the client, where there is one. */
  readonly bothCpuUs: number;
}

export const rego: Scenario = {
  name: "rego",
  title: `Evaluating a Rego module of ${RULES} rules, beside \`opa run --server\` with the same module`,
  run: async (bench) => {
    const opa = await findOpa(bench.say);
    if (opa.program === null) return { kind: "not_measured", reason: opa.reason };
    const inputs = Array.from({ length: INPUTS }, (_, at) => inputText(at));
    const sides = [await opaSide(bench, opa.program, inputs), await ownSide(bench, inputs)];
    await takeTurns(1, sides);
    const [theirs = [], ours = []] = await takeTurns(bench.rounds, sides);
    return { kind: "measured", figures: figuresOf(theirs, ours), notes: [] };
  },
};

function figuresOf(theirs: readonly Turn[], ours: readonly Turn[]): Figure[] {
  const p50 = ({ p50Us }: Turn): number => p50Us;
  const perSecond = ({ cpuUs }: Turn): number => 1e6 / cpuUs;
  const perSecondOfBoth = ({ bothCpuUs }: Turn): number => 1e6 / bothCpuUs;
  return [
    figure("p50, module to OPA", "ratio", ratios(ours.map(p50), theirs.map(p50)), atMost(1)),
    figure(
      "decisions per second of processor time, module to OPA",
      "ratio",
      ratios(ours.map(perSecond), theirs.map(perSecond)),
      atLeast(0.6),
    ),
    figure(
      "the same, with the client that asks OPA",
      "ratio",
      ratios(ours.map(perSecondOfBoth), theirs.map(perSecondOfBoth)),
    ),
    figure("module: p50", "us", ours.map(p50)),
    figure("OPA: p50", "us", theirs.map(p50)),
    figure(
      "module: processor time",
      "us",
      ours.map(({ cpuUs }) => cpuUs),
    ),
    figure(
      "OPA: processor time",
      "us",
      theirs.map(({ cpuUs }) => cpuUs),
    ),
  ];
}

async function opaSide(
  bench: Bench,
  program: string,
  inputs: readonly string[],
): Promise<() => Promise<Turn>> {
  const server = await startOpa(bench, { program, module: moduleText(), decisionLog: false });
  const url = `${new URL(server.ready).origin}/v1/data/bench`;
  const bodies = inputs.map((input) => `{"input":${input}}`);
  const answer = (await post(url, bodies[0] ?? "")) as { readonly result?: { readonly deny?: unknown } };
  if (JSON.stringify(answer.result?.deny) !== "[]") throw new Error("expected OPA to find nothing to deny");
  const load = { url, bodies, seconds: bench.seconds };
  return async () => {
    const alone = await runTimed(bench, { ...load, connections: 1 }, null);
    const loaded = await runTimed(bench, { ...load, connections: AT_ONCE }, server.pid);
    const cpuUs = perRequestUs(loaded, loaded.cpu?.allThreadsMs);
    const clientUs = perRequestUs(loaded, loaded.generatorMs ?? Number.NaN);
    return { p50Us: alone.p50Ms * US_PER_MS, cpuUs, bothCpuUs: cpuUs + clientUs };
  };
}

async function ownSide(bench: Bench, inputs: readonly string[]): Promise<() => Promise<Turn>> {
  const budgets = { evaluateMs: LIMIT_MS, compileMs: LIMIT_MS, explainMs: LIMIT_MS, waitMs: LIMIT_MS };
  const runtime = openRego({ folder: null, budgets });
  bench.cleanup.defer(() => runtime.close());
  const owner = { organization: "bench", policyId: "bench", version: 1 };
  const module = await runtime.prepare({ text: moduleText(), data: null }, owner);
  return async () => {
    const times = await timesAlone(module, inputs, bench.seconds);
    const before = process.cpuUsage();
    const count = await evaluateLoaded(module, inputs, bench.seconds);
    const { user, system } = process.cpuUsage(before);
    // The thread that asks is of this process, and its time is counted.
    const cpuUs = (user + system) / count;
    return { p50Us: (times[times.length >> 1] ?? Number.NaN) * US_PER_MS, cpuUs, bothCpuUs: cpuUs };
  };
}

/** Milliseconds of each evaluation, sorted. */
async function timesAlone(
  module: PreparedRego,
  inputs: readonly string[],
  seconds: number,
): Promise<number[]> {
  const endMs = performance.now() + seconds * 1_000;
  const times: number[] = [];
  while (performance.now() < endMs) {
    const startMs = performance.now();
    await evaluate(module, inputs[times.length % inputs.length] ?? "");
    times.push(performance.now() - startMs);
  }
  return times.sort((a, b) => a - b);
}

/** @returns how many evaluations there were */
async function evaluateLoaded(
  module: PreparedRego,
  inputs: readonly string[],
  seconds: number,
): Promise<number> {
  const endMs = performance.now() + seconds * 1_000;
  let count = 0;
  const evaluateOn = async (): Promise<void> => {
    while (performance.now() < endMs) await evaluate(module, inputs[count++ % inputs.length] ?? "");
  };
  await Promise.all(Array.from({ length: AT_ONCE }, evaluateOn));
  return count;
}

async function evaluate(module: PreparedRego, input: string): Promise<void> {
  const result = await module.evaluate(input);
  if (result.kind === "failed" || result.deny.length > 0)
    throw new Error(`expected nothing to deny, found ${JSON.stringify(result)}`);
}

function inputText(at: number): string {
  return canonicalJson({
    tool: BENCH_TOOL,
    args: benchmarkArgs(at),
    agent_id: BENCH_AGENT,
    session_id: `session-${at}`,
    namespace: "default",
    time: "2026-11-28T12:00:00.000Z",
    session: { steps: at, cost_usd: 0.5 },
  });
}

function moduleText(): string {
  const rules = Array.from({ length: RULES }, (_, at) => rule(at));
  return ["package bench", 'require_approval contains "weekend" if input.args.weekend', ...rules, ""].join(
    "\n",
  );
}

function rule(at: number): string {
  const conditions = [
    `input.args.amount > ${10_000 + at}`,
    `input.args.currency in {"X${at}", "Y${at}"}`,
    `startswith(input.args.customer.id, "blocked-${at}-")`,
    `contains(input.args.note, "forbidden ${at}")`,
    `input.args.customer.country == "country-${at}"`,
  ];
  return `deny contains "rule-${at}" if { input.tool == "${BENCH_TOOL}"; ${conditions[at % 5] ?? "false"} }`;
}
