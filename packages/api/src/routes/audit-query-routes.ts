import { auditPageSchema, auditRowProofSchema, decisionSchema } from "@svc/contract/audit-answer";
import { AUDIT_FILTERS, timeParameter } from "@svc/contract/audit-query";
import { policyReportSchema } from "@svc/contract/policy-report";
import { sessionSchema } from "@svc/contract/session-answer";
import { isTimeOrder, TIME_ORDER_REFUSAL } from "@svc/text/time-order";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, route, scoped } from "../route.ts";

const MEMBERS = {
  v: 1,
  kind: "decision",
  time: "2026-11-22T09:41:07.123Z",
  org: "default",
  principal: "9d41c07be2aa",
  agent_id: "payments-agent",
  session_id: "s-81",
  tool: "payments.refund",
  decision: "deny",
  reason: "refund over 500 USD",
  rule_id: "no-large-refunds",
  policy_id: "refunds",
  policy_version: 3,
};

const ROW = {
  id: "gw_1f0c.41",
  log_id: "gw_1f0c",
  seq: 41,
  time: MEMBERS.time,
  kind: "decision",
  hash: "5b1e4f0a9c",
  outcome: null,
  row: MEMBERS,
};

const INDEXED = { complete: true, behind: [] };

const READS = {
  method: "GET",
  tag: "Audit",
  access: { kind: "scope", scope: "audit:read" },
  rateClass: "read",
} as const;

const TOTALS = {
  decisions: 1200,
  deny: 0,
  pause: 0,
  allow: 1200,
  withdrawn: 0,
  newly_denied: 14,
  newly_paused: 3,
  agents: 2,
  sessions: 81,
} as const;

const GROUP = {
  policy_version: 3,
  mode: "shadow",
  decision: "allow",
  would_be: "deny",
  rule_id: null,
  would_be_rule_id: "no-large-refunds",
  tool: "payments.refund",
  count: 14,
  withdrawn: 0,
  examples: ["gw_1f0c.41"],
} as const;

const PART = { decisions: 4, first_at: "2026-11-22T09:40:01.004Z", last_at: MEMBERS.time } as const;

export const auditQueryRoutes = {
  listAuditRows: route({
    ...READS,
    path: "/audit",
    summary: "Find audit rows",
    description:
      "Rows of the organization, newest first. Every filter that is given must match. `indexed` says " +
      "whether the answer takes every row into account. A search for something rare among many rows can " +
      "stop before the page is full: `searched_back_to` then says up to when, and `next_cursor` goes on.",
    query: z.strictObject({ ...AUDIT_FILTERS, ...PAGE }).refine(isTimeOrder, TIME_ORDER_REFUSAL),
    answers: {
      200: answer(
        "A page of rows.",
        auditPageSchema,
        { rows: [ROW], next_cursor: null, searched_back_to: null, indexed: INDEXED },
        ["link"],
      ),
    },
    problems: ["too_many_requests"],
  }),
  getAuditRow: route({
    ...READS,
    path: "/audit/{row_id}",
    summary: "Read an audit row",
    description: "With its hash, the hash before it, and the first signed checkpoint that covers it.",
    params: z.strictObject({
      row_id: z.string().describe("`<log id>.<sequence number>`, as lists answer it in `id`."),
    }),
    answers: {
      200: {
        description: "The row.",
        schema: auditRowProofSchema,
        example: {
          ...ROW,
          prev_hash: "77d0c2e4b1",
          checkpoint: { log_id: "gw_1f0c", size: 48, note: "svc/gw_1f0c\n48\n...\n\n— svc-audit ...\n" },
          indexed: INDEXED,
        },
      },
    },
    problems: ["not_found", "too_many_requests"],
  }),
  getDecision: route({
    ...READS,
    path: "/decisions/{decision_id}",
    tag: "Decisions",
    summary: "Read a decision",
    description:
      "With its outcome and its approval. `withdrawn` says that the caller was denied although the row " +
      "says something else, because a switch came between.",
    params: z.strictObject({ decision_id: z.string().describe("The `decision_id` of a verdict.") }),
    answers: {
      200: {
        description: "The decision.",
        schema: decisionSchema,
        example: {
          decision_id: ROW.id,
          time: ROW.time,
          hash: ROW.hash,
          withdrawn: false,
          outcome: null,
          approval: null,
          row: MEMBERS,
          indexed: INDEXED,
        },
      },
    },
    problems: ["not_found", "too_many_requests"],
  }),
  getSession: route({
    ...READS,
    path: "/sessions/{agent_id}/{session_id}",
    summary: "Read a session",
    description:
      "The timeline of one session of one agent: its rows, newest first, what it has used of its ceilings, " +
      "which policies governed it and which kill switches stopped it.",
    params: z.strictObject({
      agent_id: z.string().describe("The agent. Other agents with a session of this name have their own."),
      session_id: z.string().describe("The session."),
    }),
    query: z.strictObject(PAGE),
    answers: {
      200: {
        description: "The session, and a page of its rows.",
        schema: sessionSchema,
        example: {
          agent_id: MEMBERS.agent_id,
          session_id: MEMBERS.session_id,
          first_at: PART.first_at,
          last_at: PART.last_at,
          usage: { steps: 3, cost_usd: "0.75" },
          decisions: { deny: 1, pause: 0, allow: 3 },
          withdrawn: 0,
          without_outcome: 1,
          counted_rows: 6,
          counted_all: true,
          policies: [
            {
              policy_id: MEMBERS.policy_id,
              policy_version: 3,
              ...PART,
              ceilings: { max_steps: 40, max_usd_per_session: "5" },
            },
          ],
          kill_switches: [],
          switch_rows: [],
          rows: [ROW],
          next_cursor: null,
          indexed: INDEXED,
        },
        headers: ["link"],
      },
    },
    problems: ["not_found", "too_many_requests"],
  }),
  getPolicyReport: route({
    ...READS,
    path: "/policies/{policy_id}/report",
    tag: "Policies",
    ...scoped("policy:report", "costly"),
    summary: "Report what a policy decided",
    description:
      "Counts the decisions of a policy by version, outcome, rule and tool. `would_change` lists the calls " +
      "that the modes `audit_only` and `shadow` allowed and that enforcement would have denied or paused. " +
      "The counts are exact for the minutes from `since` to `until` of the answer, which are those asked " +
      "for, widened to whole minutes. Calls that a kill switch or a fault denied before a policy judged " +
      "them belong to no policy.",
    params: z.strictObject({ policy_id: z.string().describe("The id of the policy.") }),
    query: z.strictObject({
      since: timeParameter("The start of the report. Absent: seven days before its end."),
      until: timeParameter("The end of the report. Absent: now. At most 92 days after its start."),
    }),
    answers: {
      200: {
        description: "The report.",
        schema: policyReportSchema,
        example: {
          policy_id: MEMBERS.policy_id,
          since: "2026-11-15T09:42:00.000Z",
          until: "2026-11-22T09:42:00.000Z",
          ...TOTALS,
          versions: [{ policy_version: 3, ...TOTALS }],
          would_change: [GROUP],
          groups: [GROUP],
          groups_left_out: 0,
          indexed: INDEXED,
        },
      },
    },
    problems: ["not_found", "too_many_requests"],
  }),
} as const;
