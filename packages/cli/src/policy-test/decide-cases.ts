import type { GovernedCall } from "@svc/engine/evaluation";
import { askModules } from "@svc/policy-analysis/ask-modules";
import { compileExplaining, type ExplainingPolicy } from "@svc/policy-analysis/compile-explaining";
import { type Simulation, simulateCall } from "@svc/policy-analysis/simulate-call";
import type { JsonObject } from "@svc/text/json-value";
import type { CompiledFile } from "../policy-files/compile-policy-file.ts";
import type { TestCase } from "./test-case.ts";

/** One decision of a case. */
export interface DecidedCall {
  readonly simulation: Simulation;
  /** The rewritten arguments, with what a verdict for people masks; null when nothing was rewritten. */
  readonly shapedArgs: JsonObject | null;
}

/** Called with each decision, in the order of the cases. False ends the run. */
type OnDecision = (test: TestCase, decided: DecidedCall) => boolean;

interface Usage {
  steps: number;
  costMicroUsd: number;
}

const NO_SWITCHES = { checked: [], matched: null } as const;

/**
 * Decides cases as a gateway would under enforcement: calls of one session in their order, each allowed one
 * charged to it.
 */
export async function decideCases(
  explaining: ExplainingPolicy,
  cases: readonly TestCase[],
  on: OnDecision,
): Promise<void> {
  const sessions = new Map<string, Usage>();
  for (const test of cases) {
    const usage = usageOf(sessions, test);
    for (let run = 0; run < test.repeat; run += 1) {
      const call = callOf(test, { ...usage });
      const said = await askModules(explaining.policy, call);
      const simulation = simulateCall(explaining, { call, killSwitches: NO_SWITCHES, said });
      const { verdict, evaluation } = simulation;
      const isAllow = verdict.decision === "allow";
      if (isAllow) {
        usage.steps += 1;
        usage.costMicroUsd += evaluation.costMicroUsd;
      }
      if (!on(test, { simulation, shapedArgs: isAllow ? evaluation.shapedArgs : null })) return;
    }
  }
}

function usageOf(sessions: Map<string, Usage>, { agentId, sessionId }: TestCase): Usage {
  const fresh = { steps: 0, costMicroUsd: 0 };
  if (sessionId === null) return fresh;
  const key = JSON.stringify([agentId, sessionId]);
  const usage = sessions.get(key) ?? fresh;
  sessions.set(key, usage);
  return usage;
}

function callOf(test: TestCase, usage: Usage): GovernedCall {
  const { agentId, sessionId, namespace, tool, args, timeMs, costMicroUsd } = test;
  // As for the key of an agent, whose costs are never below the prices of the policy.
  const costIsTrusted = false;
  return {
    agentId,
    sessionId,
    namespace,
    tool,
    args,
    timeMs,
    costMicroUsd,
    costIsTrusted,
    context: { usage },
  };
}

/** The cases say what enforcement answers: under another mode every call is allowed. */
export function enforcing(file: CompiledFile): CompiledFile {
  const { document, policy } = file.explaining;
  const enforced = { ...document, head: { ...document.head, mode: "enforcement" as const } };
  return { ...file, explaining: compileExplaining(enforced, policy.evaluators) };
}
