import { auditPageSchema, auditRowProofSchema, decisionSchema } from "@svc/contract/audit-answer";
import { AUDIT_FILTERS } from "@svc/contract/audit-query";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { NONE, route } from "../route.ts";

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
  body: null,
  idempotency: null,
} as const;

export const auditQueryRoutes = {
  listAuditRows: route({
    ...READS,
    path: "/audit",
    summary: "Find audit rows",
    description:
      "Rows of the organization, newest first. Every filter that is given must match. `indexed` says " +
      "whether the answer takes every row into account. A search for something rare among many rows can " +
      "stop before the page is full: `searched_back_to` then says up to when, and `next_cursor` goes on.",
    params: NONE,
    query: z.strictObject({ ...AUDIT_FILTERS, ...PAGE }),
    answers: {
      200: {
        description: "A page of rows.",
        schema: auditPageSchema,
        example: { rows: [ROW], next_cursor: null, searched_back_to: null, indexed: INDEXED },
        headers: ["link"],
      },
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
    query: NONE,
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
    query: NONE,
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
} as const;
