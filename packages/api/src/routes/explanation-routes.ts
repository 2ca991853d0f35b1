import { decisionExplanationSchema } from "@svc/contract/decision-explanation";
import { z } from "zod";
import { route, scoped } from "../route.ts";

const VERDICT = {
  decision: "deny",
  reason: "the rule large-refund denies this call",
  reason_code: "rule",
  rule_id: "large-refund",
  kill_switch_id: null,
  would_be: null,
  args_constrained: false,
  shaped_args: null,
  cost_usd: "0",
} as const;

const EXPLANATION = {
  decided_by: "rule",
  kill_switches: { checked: [], matched: null },
  denied: [],
  session: { needed: false, named: true },
  rules: [
    {
      id: "large-refund",
      priority: 10,
      action: "deny",
      tool: "payments.refund",
      outcome: "matched",
      why: "its conditions hold",
      conditions: [{ field: "args.amount", operator: ">", expected: 500, truth: "holds", found: 900 }],
    },
  ],
  allowed: ["payments.*"],
  fail_closed: true,
  ceilings: { max_steps: null, max_usd_per_session: null },
  mode: "enforcement",
} as const;

const { shaped_args: _shaped, args_constrained: _constrained, ...DECIDED } = VERDICT;

/** What shows why a recorded decision is what it is. */
export const explanationRoutes = {
  explainDecision: route({
    method: "GET",
    path: "/decisions/{decision_id}/explain",
    tag: "Decisions",
    summary: "Explain a recorded decision",
    description:
      "Makes the decision again by the policy version, kill switches, session usage and cost of its time. " +
      "The answer says whether the same decision was reached, every step of it, and the smallest change of " +
      "one argument, or the entry of a tool list, that changes it. Where the row masks what a condition " +
      "read, it says so and claims no agreement.",
    ...scoped("audit:read", "costly"),
    params: z.strictObject({ decision_id: z.string().describe("The `decision_id` of a verdict.") }),
    answers: {
      200: {
        description: "The decision, explained.",
        schema: decisionExplanationSchema,
        example: {
          decision_id: "gw_1f0c.41",
          decided_by: "policy",
          summary: "Denied by policy payments version 2: the rule large-refund denies this call.",
          recorded: {
            ...DECIDED,
            time: "2026-11-22T09:41:07.123Z",
            agent_id: "payments-agent",
            session_id: "s-1",
            namespace: "default",
            tool: "payments.refund",
            mode: "enforcement",
            policy_id: "payments",
            policy_version: 2,
            approval_id: null,
            session_usage: null,
            fail_closed: false,
            masked: false,
          },
          withdrawn: false,
          repeated: null,
          agrees: true,
          doubts: [],
          evaluated: VERDICT,
          kill_switches: {
            checked: [
              "account",
              "namespace default",
              "agent payments-agent",
              "session s-1",
              "tool payments.refund",
            ],
            active: [],
          },
          explanation: EXPLANATION,
          counterfactual: {
            kind: "argument",
            rule_id: "large-refund",
            field: "args.amount",
            requirement: "args.amount <= 500",
            tried: 500,
            decision: "allow",
          },
          no_counterfactual: null,
        },
      },
    },
    problems: ["not_found", "compiler_unavailable"],
  }),
} as const;
