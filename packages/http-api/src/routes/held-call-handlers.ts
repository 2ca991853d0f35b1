import type { heldCallRoutes } from "@svc/api/held-call-routes";
import { getHeldCall } from "@svc/control-plane/get-held-call";
import { listHeldCalls } from "@svc/control-plane/list-held-calls";
import type { Handlers } from "./handler.ts";
import { found, listed, pageOf } from "./reply-found.ts";

export const heldCallHandlers: Handlers<typeof heldCallRoutes> = {
  listHeldCalls: async ({ query }, { ports, principal }) =>
    listed(
      "held_calls",
      await listHeldCalls(ports, principal, {
        status: query.status ?? null,
        agentId: query.agent_id ?? null,
        sessionId: query.session_id ?? null,
        tool: query.tool ?? null,
        page: pageOf(query),
      }),
    ),
  getHeldCall: async ({ params }, { ports, principal }) =>
    found(await getHeldCall(ports, principal, params.held_call_id)),
};
