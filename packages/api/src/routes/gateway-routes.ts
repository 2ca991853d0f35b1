import { executeBodySchema } from "@svc/contract/execute-body-schema";
import { killSwitchChangesSchema } from "@svc/contract/kill-switch-changes";
import { outcomeReportSchema, parseOutcomeReport, recordedSchema } from "@svc/contract/outcome";
import { parseExecuteRequest } from "@svc/contract/parse-execute-request";
import { integerParameter } from "@svc/contract/query-parameter";
import { verdictSchema } from "@svc/contract/verdict-schema";
import { z } from "zod";
import { answer, jsonBody, route, scoped } from "../route.ts";

/** The path of a tool call. The gateway serves these routes directly, without the steps of the others. */
export const gatewayRoutes = {
  executeCall: route({
    method: "POST",
    path: "/gateway/execute",
    tag: "Decisions",
    summary: "Decide a tool call",
    description:
      "Answers whether a call may proceed, with these arguments, now. The answer is 200 for every " +
      "decision. Make the call only when the status is 200 and `decision` is `allow`. While rogue " +
      "detection suspends the agent, the call is held (`agent_suspended`). With `Prefer: wait=<s>`, " +
      "at most 30, a held call of up to 16 KiB keeps its connection and is judged anew on recovery.",
    ...scoped("call:execute", "unlimited"),
    body: jsonBody(executeBodySchema, parseExecuteRequest, {
      agent_id: "demo-agent",
      session_id: "s-1",
      tool: "payments.refund",
      args: { amount: 20 },
    }),
    idempotency: "decision",
    answers: {
      200: {
        description: "The verdict.",
        schema: verdictSchema,
        example: {
          decision: "allow",
          decision_id: "gw_1f0c.7",
          policy_id: "demo",
          policy_version: 1,
          mode: "enforcement",
          args_constrained: false,
        },
      },
    },
    problems: ["body_too_large", "idempotency_conflict", "too_many_requests", "overloaded"],
  }),
  reportOutcome: route({
    method: "POST",
    path: "/gateway/outcome",
    tag: "Decisions",
    summary: "Report how an allowed call ended",
    description:
      "Settles what the call cost and records what happened. Repeating a report is safe. A decision of " +
      "another key is not found, unless the key has the scope `outcome:any`. A report that a call ran " +
      "although it was not allowed is recorded, charges nothing, and is answered with 409.",
    ...scoped("outcome:own", "unlimited"),
    body: jsonBody(outcomeReportSchema, parseOutcomeReport, {
      decision_id: "gw_1f0c.7",
      status: "succeeded",
      duration_ms: 120,
    }),
    answers: {
      200: answer("The report is recorded.", recordedSchema, { recorded: true }),
    },
    problems: ["body_too_large", "not_found", "conflict", "too_many_requests", "overloaded"],
  }),
  followKillSwitches: route({
    method: "GET",
    path: "/gateway/kill-switches",
    tag: "Kill switches",
    summary: "Follow kill switches by revision",
    description:
      "For an adapter that stops running calls. Answers at once when something changed after the revision, " +
      "else after half a second. Without `after` it answers all active switches, and those that have ended.",
    ...scoped("kill_switch:follow", "unlimited"),
    query: z.strictObject({
      after: integerParameter({ min: 0, max: Number.MAX_SAFE_INTEGER })
        .optional()
        .describe("The `revision` of the answer before."),
    }),
    answers: {
      200: answer("What changed.", killSwitchChangesSchema, {
        epoch: "epoch_9b1d",
        revision: 41,
        complete: false,
        kill_switches: [],
      }),
    },
    problems: ["overloaded"],
  }),
} as const;
