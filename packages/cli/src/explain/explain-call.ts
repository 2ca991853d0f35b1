import { DEFAULT_NAMESPACE } from "@svc/contract/execute-request";
import type { SimulatedVerdict } from "@svc/contract/policy-explanation";
import type { CallToSimulate } from "@svc/contract/policy-simulation";
import type { GovernedCall } from "@svc/engine/evaluation";
import { askModules, traceModules } from "@svc/policy-analysis/ask-modules";
import { findCounterfactual } from "@svc/policy-analysis/counterfactual";
import { simulateCall } from "@svc/policy-analysis/simulate-call";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { compilePolicyFile } from "../policy-files/compile-policy-file.ts";
import { warnOfSlowModule } from "../policy-files/local-modules.ts";
import { readPolicyFile } from "../policy-files/read-policy-file.ts";
import { type GivenCall, readCall } from "./read-call.ts";
import { renderExplanation } from "./render-explanation.ts";

/** The agent and session of calls that name none. */
const ANY = { agentId: "test-agent", sessionId: "test-session" };

/** Reasons name the session and the agent of the call, and here it has none of its own. */
function withoutNames(verdict: SimulatedVerdict): SimulatedVerdict {
  const unnamed = (reason: string): string =>
    reason
      .replaceAll(`in session ${ANY.sessionId}`, "in the session that asks")
      .replaceAll(`of agent ${ANY.agentId}`, "of the agent that asks");
  const { reason, would_be: wouldBe } = verdict;
  return {
    ...verdict,
    reason: reason === null ? null : unnamed(reason),
    would_be: wouldBe === null ? null : { ...wouldBe, reason: unnamed(wouldBe.reason) },
  };
}

const NO_SWITCHES = { checked: [], matched: null } as const;

/** Explains how a policy decides a call. @throws CommandFailure */
export async function explainCall(
  { policy: path, ...given }: GivenCall & { readonly policy: string },
  options: OutputOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const { explaining } = await compilePolicyFile(await readPolicyFile(path, terminal));
  const { policy } = explaining;
  const agentId = policy.agentId ?? ANY.agentId;
  const call = governedCall(await readCall(given, { ...ANY, agentId }, terminal));
  const said = await askModules(policy, call);
  const trace = await traceModules(policy, call, said);
  const simulation = simulateCall(explaining, { call, killSwitches: NO_SWITCHES, said, trace });
  const { explanation, evaluation } = simulation;
  const verdict = withoutNames(simulation.verdict);
  const search = findCounterfactual({
    explaining,
    call,
    decision: evaluation.decision,
    explanation,
    ruleId: evaluation.ruleId,
    masks: { isMasked: () => false, wholly: false },
  });
  // A ceiling decided: what the arguments could change is not what decided.
  const counterfactual =
    search.kind === "found" && explanation.decided_by !== "ceiling" ? search.change : null;
  const output = new Output(terminal, options);
  warnOfSlowModule(output);
  output.result({
    text: renderExplanation({ tool: call.tool, policyId: policy.id, verdict, explanation, counterfactual }),
    schema: "svc.cli.explain/v1",
    json: { policy_id: policy.id, verdict, explanation, counterfactual },
  });
  return "ok";
}

function governedCall({ request, usage, timeMs }: CallToSimulate): GovernedCall {
  const { agent_id, session_id, tool, args, namespace, cost_micro_usd } = request;
  return {
    agentId: agent_id,
    sessionId: session_id,
    namespace: namespace ?? DEFAULT_NAMESPACE,
    tool,
    args,
    timeMs: timeMs ?? Date.now(),
    costMicroUsd: cost_micro_usd,
    // As for the key of an agent, whose costs are never below the prices of the policy.
    costIsTrusted: false,
    context: { usage },
  };
}
