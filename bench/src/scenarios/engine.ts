import { compileAtOnce } from "@svc/engine/compile-document";
import type { CompiledPolicy } from "@svc/engine/compiled-policy";
import { decidingDocument } from "@svc/engine/document-parts";
import { type GovernedCall, NO_CONTEXT } from "@svc/engine/evaluation";
import { readPolicy } from "@svc/engine/read-policy";
import { benchmarkArgs } from "../benchmark-calls.ts";
import { BENCH_AGENT, BENCH_TOOL, benchmarkPolicy, type PolicyShape } from "../benchmark-policy.ts";
import { atMost, type Figure, figure } from "../figure.ts";
import type { Scenario } from "../scenario.ts";
import { quantile, ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";
import { timeBatch, timeEach } from "../time-batch.ts";

/** Evaluations of one turn, as count. */
const EVALUATIONS = 20_000;

/** Different calls, as count: more than the branch predictor learns by heart. */
const CALLS = 500;

const WALKED = [1, 10, 1_000] as const;

export const engine: Scenario = {
  name: "engine",
  title: "Policy evaluation alone",
  run: async ({ rounds }) => ({
    kind: "measured",
    figures: [...(await evaluations(rounds)), ...(await growth(rounds))],
    notes: [
      "walked rules are all for the tool that is called, and none fires: the worst case of a policy",
      "foreign rules are for tools that are not called",
    ],
  }),
};

interface Turn {
  readonly perSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
}

async function evaluations(rounds: number): Promise<Figure[]> {
  const shapes: readonly (PolicyShape & { readonly label: string })[] = [
    ...WALKED.map((count) => ({ walkedRules: count, label: `${count} walked rules` })),
    { walkedRules: 10, foreignRules: 990, label: "1000 rules, 10 of them walked" },
    { walkedRules: 10, regex: true, label: "10 walked regular expressions" },
  ];
  const sides = shapes.map((shape) => {
    const evaluate = evaluation(compiled(shape));
    timeBatch(EVALUATIONS, evaluate);
    return (): Promise<Turn> => Promise.resolve(turn(evaluate));
  });
  const results = await takeTurns(rounds, sides);
  return shapes.flatMap(({ label, walkedRules: count, foreignRules: others = 0 }, at) => {
    const turns = results[at] ?? [];
    const target = count + others === 1_000 ? atMost(20) : null;
    return [
      figure(
        `${label}: p50`,
        "us",
        turns.map(({ p50Us }) => p50Us),
        target,
      ),
      figure(
        `${label}: p99`,
        "us",
        turns.map(({ p99Us }) => p99Us),
      ),
      figure(
        `${label}: evaluations`,
        "1/s",
        turns.map(({ perSecond }) => perSecond),
      ),
    ];
  });
}

async function growth(rounds: number): Promise<Figure[]> {
  const sides = [0, 990].map((count) => {
    const evaluate = evaluation(compiled({ walkedRules: 10, foreignRules: count }));
    timeBatch(EVALUATIONS, evaluate);
    return (): Promise<number> => Promise.resolve(timeBatch(EVALUATIONS, evaluate));
  });
  const [few = [], many = []] = await takeTurns(rounds, sides);
  return [
    figure("10 walked and 990 foreign rules, to 10 walked alone", "ratio", ratios(many, few), atMost(1.3)),
  ];
}

function turn(evaluate: (at: number) => unknown): Turn {
  const meanNs = timeBatch(EVALUATIONS, evaluate);
  const eachUs = timeEach(EVALUATIONS, evaluate).map((ns) => ns / 1_000);
  return { perSecond: 1e9 / meanNs, p50Us: quantile(eachUs, 0.5), p99Us: quantile(eachUs, 0.99) };
}

function evaluation(policy: CompiledPolicy): (at: number) => unknown {
  const calls = Array.from({ length: CALLS }, (_, at) => call(at));
  const first = calls[0] ?? call(0);
  const { decision, reason } = policy.evaluate(first);
  if (decision !== "allow") throw new Error(`expected an allow, found ${decision}: ${reason}`);
  return (at) => policy.evaluate(calls[at % CALLS] ?? first);
}

function call(at: number): GovernedCall {
  return {
    agentId: BENCH_AGENT,
    sessionId: `session-${at}`,
    namespace: "default",
    tool: BENCH_TOOL,
    args: benchmarkArgs(at),
    costMicroUsd: null,
    costIsTrusted: false,
    timeMs: 0,
    context: NO_CONTEXT,
  };
}

/** As the thread that serves calls has it. The checks of a document run in another thread. */
function compiled(shape: PolicyShape): CompiledPolicy {
  const reading = readPolicy(benchmarkPolicy(shape));
  if (!reading.ok)
    throw new Error(`the benchmark's policy is refused: ${JSON.stringify(reading.diagnostics)}`);
  return compileAtOnce(decidingDocument(reading.document));
}
