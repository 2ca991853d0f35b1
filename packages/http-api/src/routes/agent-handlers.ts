import type { agentRoutes } from "@svc/api/agent-routes";
import type { AuditIndex } from "@svc/audit-index/audit-index";
import { adoptAgent } from "@svc/control-plane/adopt-agent";
import type { AgentPorts } from "@svc/control-plane/agent-ports";
import { getAgent } from "@svc/control-plane/get-agent";
import { listAgentSessions } from "@svc/control-plane/list-agent-sessions";
import { listAgents } from "@svc/control-plane/list-agents";
import { registerAgent } from "@svc/control-plane/register-agent";
import { removeAgent } from "@svc/control-plane/remove-agent";
import { updateAgent } from "@svc/control-plane/update-agent";
import type { Handlers, ProblemReply, RequestContext } from "./handler.ts";
import { questionsOfKey } from "./questions-of-key.ts";
import { created, found, pageOf } from "./reply-found.ts";

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
      return created("agents", await registerAgent(portsOf(context), context.principal, body));
    },
    adoptAgent: async ({ params, body: adoption }, context) => {
      const request = { id: params.agent_id, adoption };
      return created("agents", await adoptAgent(portsOf(context), context.principal, request));
    },
    listAgents: async ({ query: { id, severity, status, namespace, tag, q, ...page } }, context) => {
      const filters = {
        ids: id ?? null,
        severities: severity ?? null,
        statuses: status ?? null,
        namespaces: namespace ?? null,
        tag: tag ?? null,
        text: q ?? null,
      };
      const query = { filters, page: pageOf(page) };
      return found(await inTurn(context, (ports) => listAgents(ports, context.principal, query)));
    },
    getAgent: async ({ params }, context) =>
      found(await inTurn(context, (ports) => getAgent(ports, context.principal, params.agent_id))),
    updateAgent: async ({ params, body: update }, context) => {
      const request = { id: params.agent_id, update };
      return found(await updateAgent(portsOf(context), context.principal, request));
    },
    deleteAgent: async ({ params, body: removal }, context) =>
      found(await removeAgent(portsOf(context), context.principal, params.agent_id, removal)),
    listAgentSessions: async ({ params, query }, context) => {
      const request = { id: params.agent_id, page: pageOf(query) };
      return found(await inTurn(context, (ports) => listAgentSessions(ports, context.principal, request)));
    },
  };
}
