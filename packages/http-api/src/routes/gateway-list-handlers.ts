import type { gatewayListRoutes } from "@svc/api/gateway-list-routes";
import { listGateways } from "@svc/control-plane/list-gateways";
import type { Handlers } from "./handler.ts";

export const gatewayListHandlers: Handlers<typeof gatewayListRoutes> = {
  listGateways: async (_input, { ports }) => {
    const outcome = await listGateways(ports);
    if (outcome.kind === "problem") return outcome;
    return { kind: "json", status: 200, body: { gateways: outcome.value, next_cursor: null } };
  },
};
