import type { agentActivityRoutes } from "@svc/api/agent-activity-routes";
import type { AuditIndex } from "@svc/audit-index/audit-index";
import { getAgentActivity } from "@svc/control-plane/get-agent-activity";
import { listBusyAgents } from "@svc/control-plane/list-busy-agents";
import type { Handlers } from "./handler.ts";
import { questionsOfKey } from "./questions-of-key.ts";
import { found } from "./reply-found.ts";

/**
 * Questions of one key that may be under way at once, as count. One thread answers all questions, and one of
 * these takes up to some tenths of a second of it.
 */
const MAX_QUESTIONS_PER_KEY = 2;

/** What agents did, by the audit log. */
export function agentActivityHandlers({
  auditIndex,
}: {
  readonly auditIndex: AuditIndex;
}): Handlers<typeof agentActivityRoutes> {
  const inTurn = questionsOfKey(MAX_QUESTIONS_PER_KEY, "questions about busy agents");
  return {
    listBusyAgents: async ({ query: { since, sort, limit } }, context) => {
      const ports = { ...context.ports, auditIndex };
      const request = { sinceMs: since ?? null, sort, limit };
      return found(await inTurn(context, () => listBusyAgents(ports, context.principal, request)));
    },
    getAgentActivity: async ({ params, query: { since, until } }, context) => {
      const ports = { ...context.ports, auditIndex };
      const request = { id: params.agent_id, sinceMs: since ?? null, untilMs: until ?? null };
      return found(await inTurn(context, () => getAgentActivity(ports, context.principal, request)));
    },
  };
}
