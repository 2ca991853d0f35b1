import type { supervisionRoutes } from "@svc/api/supervision-routes";
import { getAgentHealth } from "@svc/control-plane/get-agent-health";
import { reauthenticateSession } from "@svc/control-plane/reauthenticate-session";
import { receiveHeartbeat } from "@svc/control-plane/receive-heartbeat";
import { reregisterAgent } from "@svc/control-plane/reregister-agent";
import type { Handlers } from "./handler.ts";

export const supervisionHandlers: Handlers<typeof supervisionRoutes> = {
  sendHeartbeat: async ({ params, body }, { ports, principal }) => {
    const outcome = await receiveHeartbeat(ports, principal, { ...params, ...body });
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.answer };
  },
  reauthenticateAgent: async ({ params, body }, { ports, principal }) => {
    const outcome = await reauthenticateSession(ports, principal, { ...params, ...body });
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.answer };
  },
  reregisterAgent: async ({ params, body }, { ports, principal }) => {
    const outcome = await reregisterAgent(ports, principal, { ...params, ...body });
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.answer };
  },
  getAgentHealth: async ({ params, query: { limit, cursor } }, { ports, principal }) => {
    const page = { limit, after: cursor ?? null };
    const outcome = await getAgentHealth(ports, principal, { ...params, page });
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.health };
  },
};
