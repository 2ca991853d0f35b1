import type { auditQueryRoutes } from "@svc/api/audit-query-routes";
import type { AuditIndex } from "@svc/audit-index/audit-index";
import { auditFilter } from "@svc/contract/audit-query";
import { getAuditRow } from "@svc/control-plane/get-audit-row";
import { getDecision } from "@svc/control-plane/get-decision";
import { getPolicyReport } from "@svc/control-plane/get-policy-report";
import { getSession } from "@svc/control-plane/get-session";
import { listAuditRows } from "@svc/control-plane/list-audit-rows";
import type { AuditStore } from "@svc/store/ports/audit-store";
import type { Ledger } from "@svc/store/ports/ledger";
import type { Handlers, ProblemReply, RequestContext } from "./handler.ts";
import { questionsOfKey } from "./questions-of-key.ts";
import { found, pageOf } from "./reply-found.ts";

export interface AuditQueryHandlersParts {
  readonly auditIndex: AuditIndex;
  readonly audit: Pick<AuditStore, "checkpoints">;
  readonly ledger: Pick<Ledger, "usage">;
}

/**
 * Questions of one key that may be under way at once, as count. One thread answers all questions, so a key
 * with many of them would make the others wait.
 */
const MAX_QUESTIONS_PER_KEY = 4;

/** Questions to the audit log. A failed one says nothing about the log. */
export function auditQueryHandlers(parts: AuditQueryHandlersParts): Handlers<typeof auditQueryRoutes> {
  const { auditIndex, audit, ledger } = parts;
  const inTurn = questionsOfKey(MAX_QUESTIONS_PER_KEY, "questions to the audit log");
  const ask = <Answer>(
    context: RequestContext,
    question: (ports: AuditQueryHandlersParts & RequestContext["ports"]) => Promise<Answer>,
  ): Promise<Answer | ProblemReply> =>
    inTurn(context, () => question({ ...context.ports, auditIndex, audit, ledger }));
  return {
    listAuditRows: async ({ query: { limit, cursor, ...filters } }, context) => {
      const query = { filter: auditFilter(filters), page: pageOf({ limit, cursor }) };
      return found(await ask(context, (ports) => listAuditRows(ports, context.principal, query)));
    },
    getAuditRow: async ({ params }, context) =>
      found(await ask(context, (ports) => getAuditRow(ports, context.principal, params.row_id))),
    getSession: async ({ params, query }, context) => {
      const { agent_id: agentId, session_id: sessionId } = params;
      const request = { agentId, sessionId, page: pageOf(query) };
      return found(await ask(context, (ports) => getSession(ports, context.principal, request)));
    },
    getPolicyReport: async ({ params: { policy_id: id }, query: { since, until } }, context) => {
      const request = { id, sinceMs: since ?? null, untilMs: until ?? null };
      return found(await ask(context, (ports) => getPolicyReport(ports, context.principal, request)));
    },
    getDecision: async ({ params }, context) =>
      found(await ask(context, (ports) => getDecision(ports, context.principal, params.decision_id))),
  };
}
