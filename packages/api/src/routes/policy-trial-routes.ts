import { MAX_SIMULATION_BYTES } from "@svc/contract/limits";
import { policyDiffSchema } from "@svc/contract/policy-change";
import { policyCheckSchema } from "@svc/contract/policy-check";
import { simulationRequestSchema, simulationSchema } from "@svc/contract/policy-simulation";
import { integerParameter } from "@svc/contract/query-parameter";
import { z } from "zod";
import { route, scoped } from "../route.ts";
import { DOCUMENT_BODY, MAX_VERSION } from "./document-body.ts";

const version = () => integerParameter({ min: 1, max: MAX_VERSION }).optional();

const VERDICT = {
  decision: "pause",
  reason: "the rule large-refund requires approval of this call",
  reason_code: "approval_required",
  rule_id: "large-refund",
  kill_switch_id: null,
  would_be: null,
  args_constrained: false,
  shaped_args: null,
  cost_usd: "0.25",
} as const;

const EXPLANATION = {
  decided_by: "rule",
  kill_switches: {
    checked: ["account", "namespace default", "agent payments-agent", "tool payments.refund"],
    matched: null,
  },
  denied: [],
  session: { needed: false, named: false },
  rules: [
    {
      id: "large-refund",
      priority: 10,
      action: "require_approval",
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

/** What shows a change before it is made, or after. */
export const policyTrialRoutes = {
  diffPolicy: route({
    method: "GET",
    path: "/policies/{policy_id}/diff",
    tag: "Policies",
    summary: "Compare two versions of a policy",
    description:
      "Lists every difference in what the versions mean, each with what was and what is. Comments, " +
      "formatting, written-out defaults and the order of tool lists are not differences.",
    ...scoped("policy:read", "costly"),
    params: z.strictObject({ policy_id: z.string().describe("The policy.") }),
    query: z.strictObject({
      from: version().describe("The earlier version. Absent: the one before `to`."),
      to: version().describe("The later version. Absent: the latest."),
    }),
    answers: {
      200: {
        description: "What changed.",
        schema: policyDiffSchema,
        example: {
          policy_id: "payments",
          from: 1,
          to: 2,
          identical: false,
          text_only: false,
          changes: [
            {
              kind: "changed",
              section: "mode",
              path: "/governance_mode",
              before: "shadow",
              after: "enforcement",
            },
          ],
        },
        texts: {
          "text/plain": {
            description: "One line for each change.",
            example: '~ /governance_mode: "shadow" -> "enforcement"\n',
          },
        },
      },
    },
    problems: ["not_found", "compiler_unavailable"],
  }),
  validatePolicy: route({
    method: "POST",
    path: "/policies/validate",
    tag: "Policies",
    summary: "Validate a policy document",
    description: "Says everything that is noticed about a document. Nothing is stored.",
    ...scoped("policy:test", "costly"),
    body: DOCUMENT_BODY,
    answers: {
      200: {
        description: "The document was read. It may be invalid.",
        schema: policyCheckSchema,
        example: { valid: true, diagnostics: [] },
        texts: {
          "text/plain": { description: "Findings as lines of a terminal.", example: "Valid: no findings.\n" },
        },
      },
    },
    problems: ["invalid_policy", "compiler_unavailable"],
  }),
  simulatePolicy: route({
    method: "POST",
    path: "/policies/simulate",
    tag: "Policies",
    summary: "Try calls under a policy",
    description:
      "Answers for each call what a gateway would answer, and why: active kill switches, tool lists, rules " +
      "with the values that they saw, ceilings and mode. No row is written, and no session is charged. A " +
      "call may name what its session has used (`session`).",
    ...scoped("policy:test", "costly"),
    body: {
      kind: "unread_json",
      schema: simulationRequestSchema,
      maxBytes: MAX_SIMULATION_BYTES,
      example: {
        policy_id: "payments",
        calls: [{ agent_id: "payments-agent", tool: "payments.refund", args: { amount: 900 } }],
      },
    },
    answers: {
      200: {
        description: "One result for each call.",
        schema: simulationSchema,
        example: {
          policy_id: "payments",
          policy_version: 2,
          results: [{ verdict: VERDICT, explanation: EXPLANATION }],
        },
      },
    },
    problems: ["not_found", "invalid_policy", "too_much_work", "compiler_unavailable"],
  }),
} as const;
