import type { agentRoutes } from "@svc/api/agent-routes";
import type { AuditIndex } from "@svc/audit-index/audit-index";
import { adoptAgent } from "@svc/control-plane/adopt-agent";
import type { AgentPorts } from "@svc/control-plane/agent-ports";
import type { ChangedAgent } from "@svc/control-plane/change-agent";
import { getAgent } from "@svc/control-plane/get-agent";
import { listAgentSessions } from "@svc/control-plane/list-agent-sessions";
import { listAgents } from "@svc/control-plane/list-agents";
import { registerAgent } from "@svc/control-plane/register-agent";
import { removeAgent } from "@svc/control-plane/remove-agent";
import { updateAgent } from "@svc/control-plane/update-agent";
import type { Handlers, ProblemReply, RequestContext } from "./handler.ts";
import { questionsOfKey } from "./questions-of-key.ts";

export interface AgentHandlersParts {
  readonly auditIndex: AuditIndex;
}

/**
 * Lists of agents and sessions of one key that may be under way at once, as count: one thread answers all
 * questions to the index.
 */
const MAX_LISTS_PER_KEY = 4;

export function agentHandlers({ auditIndex }: AgentHandlersParts): Handlers<typeof agentRoutes> {
  const ofKey = questionsOfKey(MAX_LISTS_PER_KEY, "lists of agents");
  const portsOf = ({ ports }: RequestContext): AgentPorts => ({ ...ports, auditIndex });
  const inTurn = <Answer>(
    context: RequestContext,
    work: (ports: AgentPorts) => Promise<Answer>,
  ): Promise<Answer | ProblemReply> => ofKey(context, () => work(portsOf(context)));
  return {
    registerAgent: async ({ body }, context) => {
      const outcome = await registerAgent(portsOf(context), context.principal, body);
      return outcome.kind === "problem" ? outcome : created(outcome.answer);
    },
    adoptAgent: async ({ params, body: adoption }, context) => {
      const request = { id: params.agent_id, adoption };
      const outcome = await adoptAgent(portsOf(context), context.principal, request);
      return outcome.kind === "problem" ? outcome : created(outcome.answer);
    },
    listAgents: async ({ query: { limit, cursor, severity, status, namespace, tag, q } }, context) => {
      const filters = {
        severities: severity ?? null,
        statuses: status ?? null,
        namespaces: namespace ?? null,
        tag: tag ?? null,
        text: q ?? null,
      };
      const query = { filters, page: { limit, after: cursor ?? null } };
      const outcome = await inTurn(context, (ports) => listAgents(ports, context.principal, query));
      return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.page };
    },
    getAgent: async ({ params }, context) => {
      const outcome = await inTurn(context, (ports) => getAgent(ports, context.principal, params.agent_id));
      return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.record };
    },
    updateAgent: async ({ params, body: update }, context) => {
      const request = { id: params.agent_id, update };
      const outcome = await updateAgent(portsOf(context), context.principal, request);
      return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.answer };
    },
    deleteAgent: async ({ params, body: removal }, context) => {
      const outcome = await removeAgent(portsOf(context), context.principal, params.agent_id, removal);
      return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.answer };
    },
    listAgentSessions: async ({ params, query: { limit, cursor } }, context) => {
      const request = { id: params.agent_id, page: { limit, after: cursor ?? null } };
      const outcome = await inTurn(context, (ports) => listAgentSessions(ports, context.principal, request));
      return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.page };
    },
  };
}

function created(answer: ChangedAgent) {
  const headers = { location: `/api/v1/agents/${encodeURIComponent(answer.id)}` };
  return { kind: "json", status: 201, body: answer, headers } as const;
}
