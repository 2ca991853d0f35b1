import type { heldCallRoutes } from "@svc/api/held-call-routes";
import { getHeldCall } from "@svc/control-plane/get-held-call";
import { listHeldCalls } from "@svc/control-plane/list-held-calls";
import type { Handlers } from "./handler.ts";

export const heldCallHandlers: Handlers<typeof heldCallRoutes> = {
  listHeldCalls: async ({ query }, { ports, principal }) => {
    const outcome = await listHeldCalls(ports, principal, {
      status: query.status ?? null,
      agentId: query.agent_id ?? null,
      sessionId: query.session_id ?? null,
      tool: query.tool ?? null,
      page: { limit: query.limit, after: query.cursor ?? null },
    });
    if (outcome.kind === "problem") return outcome;
    const { items, next } = outcome.page;
    return { kind: "json", status: 200, body: { held_calls: items, next_cursor: next } };
  },
  getHeldCall: async ({ params }, { ports, principal }) => {
    const outcome = await getHeldCall(ports, principal, params.held_call_id);
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.record };
  },
};
