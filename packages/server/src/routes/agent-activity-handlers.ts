import type { agentActivityRoutes } from "@svc/api/agent-activity-routes";
import type { AuditIndex } from "@svc/audit-index/audit-index";
import { problem } from "@svc/contract/problem";
import { getAgentActivity } from "@svc/control-plane/get-agent-activity";
import { listBusyAgents } from "@svc/control-plane/list-busy-agents";
import { AtMost } from "../at-most.ts";
import type { Handlers, ProblemReply, RequestContext } from "./handler.ts";

/**
 * Questions of one key that may be under way at once, as count. One thread answers all questions, and one of
 * these takes up to some tenths of a second of it.
 */
const MAX_QUESTIONS_PER_KEY = 2;

const TOO_MANY: ProblemReply = {
  kind: "problem",
  problem: problem(
    "too_many_requests",
    `this key has ${String(MAX_QUESTIONS_PER_KEY)} questions about busy agents under way; wait for an answer`,
  ),
  headers: { "retry-after": "1" },
};

/** What agents did, by the audit log. */
export function agentActivityHandlers({
  auditIndex,
}: {
  readonly auditIndex: AuditIndex;
}): Handlers<typeof agentActivityRoutes> {
  const running = new AtMost(MAX_QUESTIONS_PER_KEY);
  const inTurn = async <Answer>(
    { principal }: RequestContext,
    question: () => Promise<Answer>,
  ): Promise<Answer | ProblemReply> => {
    const end = running.begin(`${principal.org}/${principal.id}`);
    if (end === null) return TOO_MANY;
    try {
      return await question();
    } finally {
      end();
    }
  };
  return {
    listBusyAgents: async ({ query: { since, sort, limit } }, context) => {
      const ports = { ...context.ports, auditIndex };
      const request = { sinceMs: since ?? null, sort, limit };
      const outcome = await inTurn(context, () => listBusyAgents(ports, context.principal, request));
      return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.answer };
    },
    getAgentActivity: async ({ params, query: { since, until } }, context) => {
      const ports = { ...context.ports, auditIndex };
      const request = { id: params.agent_id, sinceMs: since ?? null, untilMs: until ?? null };
      const outcome = await inTurn(context, () => getAgentActivity(ports, context.principal, request));
      return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.activity };
    },
  };
}
