import type { supervisionRoutes } from "@svc/api/supervision-routes";
import { getAgentHealth } from "@svc/control-plane/get-agent-health";
import { reauthenticateSession } from "@svc/control-plane/reauthenticate-session";
import { receiveHeartbeat } from "@svc/control-plane/receive-heartbeat";
import { reregisterAgent } from "@svc/control-plane/reregister-agent";
import type { Handlers } from "./handler.ts";
import { found, pageOf } from "./reply-found.ts";

export const supervisionHandlers: Handlers<typeof supervisionRoutes> = {
  sendHeartbeat: async ({ params, body }, { ports, principal }) =>
    found(await receiveHeartbeat(ports, principal, { ...params, ...body })),
  reauthenticateAgent: async ({ params, body }, { ports, principal }) =>
    found(await reauthenticateSession(ports, principal, { ...params, ...body })),
  reregisterAgent: async ({ params, body }, { ports, principal }) =>
    found(await reregisterAgent(ports, principal, { ...params, ...body })),
  getAgentHealth: async ({ params, query }, { ports, principal }) => {
    const page = pageOf(query);
    return found(await getAgentHealth(ports, principal, { ...params, page }));
  },
};
