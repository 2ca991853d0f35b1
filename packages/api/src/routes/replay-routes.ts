import { parseProposal, proposalRequestSchema, proposedPolicySchema } from "@svc/contract/policy-proposal";
import { parseReplay, replayPageSchema, replayRequestSchema, replaySchema } from "@svc/contract/replay";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, jsonBody, page, route, scoped } from "../route.ts";

const REPLAY_ID = z.strictObject({ replay_id: z.string().describe("The replay.") });

const REPLAY = {
  id: "rpl_3f0c",
  policy_id: "payments",
  candidate: { version: 3, document_digest: "sha256:9f2b", mode: "enforcement" },
  base_version: null,
  since: "2026-11-15T00:00:00.000Z",
  until: "2026-11-22T00:00:00.000Z",
  agents: null,
  status: "queued",
  reason: null,
  progress: { rows_read: 0, rows_total: 48_210 },
  created_at: "2026-11-22T09:41:07.123Z",
  created_by: "3f9c1e2a7b4d",
  ended_at: null,
  result: null,
} as const;

const COMPLETED = {
  ...REPLAY,
  status: "completed",
  progress: { rows_read: 48_210, rows_total: 48_210 },
  ended_at: "2026-11-22T09:41:08.004Z",
  result: {
    calls: 47_990,
    unchanged: 47_800,
    newly_denied: 150,
    newly_allowed: 0,
    newly_paused: 20,
    newly_rewritten: 0,
    rewritten_otherwise: 0,
    masked: 310,
    undecided: { masked: 20, session: 0 },
    would_be: { deny: 0, pause: 0 },
    not_replayed: { kill_switch: 0, fault: 0, gateway: 0 },
    approvals_used: 2,
    sessions: 1_204,
    outcomes_applied: 220,
    rows_removed: 0,
    groups: [
      {
        change: "newly_denied",
        tool: "payments.refund",
        rule_id: "large-refund",
        reason_code: "rule",
        was_rule_id: "ask-first",
        was_reason_code: "approval_required",
        count: 150,
        examples: ["gw_1f0c.41"],
      },
    ],
    groups_left_out: 0,
    digest: "sha256:77aa",
  },
} as const;

/** Recorded calls under a candidate. */
export const replayRoutes = {
  startReplay: route({
    method: "POST",
    path: "/policies/{policy_id}/replay",
    tag: "Policies",
    summary: "Replay recorded calls under a candidate",
    description:
      "Decides the calls of a range of time again, in their order, under a document or a version. Sessions " +
      "are charged for what the candidate allows. The result is compared with what was recorded, or with " +
      "what `base_version` decides. Runs in the background; read the replay until it has " +
      "ended. When its process ends meanwhile, it begins again at the next start of that process. " +
      "docs/ROLLOUT.md shows how a result is read.",
    ...scoped("policy:test", "costly"),
    params: z.strictObject({ policy_id: z.string().describe("The policy that governed the calls.") }),
    body: jsonBody(replayRequestSchema, parseReplay, { version: 3, since: "2026-11-15T00:00:00Z" }),
    idempotency: "answer",
    answers: {
      202: answer("The replay waits or runs.", replaySchema, REPLAY, ["location"]),
    },
    problems: ["not_found", "invalid_policy", "too_much_work", "limit_reached", "compiler_unavailable"],
  }),
  proposePolicy: route({
    method: "POST",
    path: "/policies/propose",
    tag: "Policies",
    summary: "Propose a policy of least privilege",
    description:
      "Answers the smallest policy document that allows what ran for an agent or a namespace, based on the " +
      "policy that governs it. Without an assignment of its own, an agent is governed by the policy of the " +
      "namespace in which it was decided about last. Comments say how often each tool ran, and what its " +
      "arguments were. " +
      "Values of arguments are shown to keys that may read the audit log. Nothing is stored.",
    ...scoped("policy:test", "costly"),
    body: jsonBody(proposalRequestSchema, parseProposal, {
      agent_id: "payments-agent",
      since: "2026-11-15T00:00:00Z",
    }),
    answers: {
      200: {
        description: "The proposal.",
        schema: proposedPolicySchema,
        example: {
          document: 'id: "payments"\ntools:\n  allowed:\n    # 812 calls\n    - "payments.refund"\n',
          policy_id: "payments",
          grants: [{ tool: "payments.refund", calls: 812, last_use: "2026-11-22T09:41:07.123Z" }],
          unused: [{ kind: "tools.allowed", entry: "mail.*" }],
          left_out: [],
          warnings: [],
        },
      },
    },
    problems: ["too_much_work", "compiler_unavailable"],
  }),
  listReplays: route({
    method: "GET",
    path: "/replays",
    tag: "Policies",
    summary: "List replays",
    description: "Newest first, with their results. The last 100 are kept.",
    ...scoped("policy:test", "read"),
    query: z.strictObject(PAGE),
    answers: {
      200: page("A page of replays.", replayPageSchema, { replays: [COMPLETED] }),
    },
  }),
  getReplay: route({
    method: "GET",
    path: "/replays/{replay_id}",
    tag: "Policies",
    summary: "Read a replay",
    description: "Its progress while it runs, and its result when it is completed.",
    ...scoped("policy:test", "read"),
    params: REPLAY_ID,
    answers: { 200: answer("The replay.", replaySchema, COMPLETED) },
    problems: ["not_found"],
  }),
  endReplay: route({
    method: "DELETE",
    path: "/replays/{replay_id}",
    tag: "Policies",
    summary: "Cancel or remove a replay",
    description: "Cancels a replay that waits or runs, and removes one that has ended.",
    ...scoped("policy:test", "write"),
    params: REPLAY_ID,
    answers: {
      200: answer("As it was left.", replaySchema, { ...REPLAY, status: "cancelled" }),
    },
    problems: ["not_found"],
  }),
} as const;
