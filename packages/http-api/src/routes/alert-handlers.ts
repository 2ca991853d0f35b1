import type { alertRoutes } from "@svc/api/alert-routes";
import { acknowledgeAlert, getAlert, listAlerts } from "@svc/control-plane/alerts";
import type { Handlers } from "./handler.ts";
import { found, listed, pageOf } from "./reply-found.ts";

export const alertHandlers: Handlers<typeof alertRoutes> = {
  listAlerts: async ({ query }, { ports, principal }) =>
    listed(
      "alerts",
      await listAlerts(ports, principal, { status: query.status ?? null, page: pageOf(query) }),
    ),
  getAlert: async ({ params }, { ports, principal }) =>
    found(await getAlert(ports, principal, params.alert_id)),
  acknowledgeAlert: async ({ params, body }, { ports, principal }) =>
    found(await acknowledgeAlert(ports, principal, { id: params.alert_id, ...body })),
};
