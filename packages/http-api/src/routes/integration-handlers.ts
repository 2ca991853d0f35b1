import type { integrationRoutes } from "@svc/api/integration-routes";
import {
  createIntegration,
  getIntegration,
  listIntegrations,
  removeIntegration,
  testIntegration,
  updateIntegration,
} from "@svc/control-plane/integrations";
import type { Handlers } from "./handler.ts";
import { created, found, listed, pageOf } from "./reply-found.ts";

export const integrationHandlers: Handlers<typeof integrationRoutes> = {
  createIntegration: async ({ body }, { ports, principal }) =>
    created("integrations", await createIntegration(ports, principal, body)),
  listIntegrations: async ({ query }, { ports, principal }) =>
    listed("integrations", await listIntegrations(ports, principal, pageOf(query))),
  getIntegration: async ({ params }, { ports, principal }) =>
    found(await getIntegration(ports, principal, params.integration_id)),
  updateIntegration: async ({ params, body: update }, { ports, principal }) =>
    found(await updateIntegration(ports, principal, { id: params.integration_id, update })),
  deleteIntegration: async ({ params }, { ports, principal }) =>
    found(await removeIntegration(ports, principal, params.integration_id)),
  testIntegration: async ({ params }, { ports, principal }) =>
    found(await testIntegration(ports, principal, params.integration_id)),
};
