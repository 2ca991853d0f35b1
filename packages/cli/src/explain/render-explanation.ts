import type { Counterfactual } from "@svc/contract/decision-explanation";
import type { Explanation, SimulatedVerdict } from "@svc/contract/policy-explanation";
import { renderTrace } from "@svc/policy-analysis/render-trace";
import type { Emphasis, Piece } from "../frame/text.ts";

export interface ExplainedCall {
  readonly tool: string;
  readonly policyId: string;
  readonly verdict: SimulatedVerdict;
  readonly explanation: Explanation;
  readonly counterfactual: Counterfactual | null;
}

const EMPHASES = { allow: "good", deny: "bad", pause: "warning" } as const satisfies Record<
  SimulatedVerdict["decision"],
  Emphasis
>;

/** The decision, the steps to it, and the smallest change that leads to another one. */
export function renderExplanation(explained: ExplainedCall): readonly Piece[] {
  const { tool, policyId, verdict, explanation, counterfactual } = explained;
  const { decision, reason, rule_id: rule, would_be: wouldBe, shaped_args: shaped } = verdict;
  const by = rule === null ? "" : ` by the rule ${rule}`;
  return [
    { text: decision, as: EMPHASES[decision] },
    `${by}: ${tool} under the policy ${policyId}\n`,
    ...(reason === null ? [] : [`  reason: ${reason}\n`]),
    ...(shaped === null ? [] : [`  the tool gets: ${JSON.stringify(shaped)}\n`]),
    ...(wouldBe === null ? [] : [`  enforcement would answer ${wouldBe.decision}: ${wouldBe.reason}\n`]),
    "\n",
    ...renderTrace(explanation).map((line) => `  ${line}\n`),
    ...(counterfactual === null ? [] : ["\n", ...changeLines(counterfactual)]),
  ];
}

/** The smallest change that leads to another decision. */
export function changeLines(change: Counterfactual): readonly Piece[] {
  const decision: Piece = { text: change.decision, as: EMPHASES[change.decision] };
  const after = " after this change";
  if (change.kind === "list_entry")
    return [
      "The policy says ",
      decision,
      `${after}: ${change.change} ${change.entry} ${PREPOSITIONS[change.change]} ${change.list}\n`,
    ];
  const tried = change.tried === undefined ? "" : `, such as ${JSON.stringify(change.tried)}`;
  return ["The policy says ", decision, `${after}: ${change.requirement}${tried} (rule ${change.rule_id})\n`];
}

const PREPOSITIONS = { add: "to", remove: "from" } as const;
