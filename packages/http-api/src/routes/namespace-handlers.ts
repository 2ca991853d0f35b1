import type { namespaceRoutes } from "@svc/api/namespace-routes";
import { createNamespace } from "@svc/control-plane/create-namespace";
import { getNamespace } from "@svc/control-plane/get-namespace";
import { getRogueDetection } from "@svc/control-plane/get-rogue-detection";
import { listNamespaces } from "@svc/control-plane/list-namespaces";
import { putRogueDetection } from "@svc/control-plane/put-rogue-detection";
import { removeNamespace } from "@svc/control-plane/remove-namespace";
import { updateNamespace } from "@svc/control-plane/update-namespace";
import type { Handlers } from "./handler.ts";
import { created, found, listed, pageOf } from "./reply-found.ts";

export const namespaceHandlers: Handlers<typeof namespaceRoutes> = {
  createNamespace: async ({ body }, { ports, principal }) =>
    created("namespaces", await createNamespace(ports, principal, body)),
  listNamespaces: async ({ query }, { ports, principal }) =>
    listed("namespaces", await listNamespaces(ports, principal, pageOf(query))),
  getNamespace: async ({ params }, { ports, principal }) =>
    found(await getNamespace(ports, principal, params.namespace_id)),
  updateNamespace: async ({ params, body: update }, { ports, principal }) =>
    found(await updateNamespace(ports, principal, { id: params.namespace_id, update })),
  deleteNamespace: async ({ params }, { ports, principal }) =>
    found(await removeNamespace(ports, principal, params.namespace_id)),
  getRogueDetection: async ({ params }, { ports, principal }) =>
    found(await getRogueDetection(ports, principal, params.namespace_id)),
  putRogueDetection: async ({ params, body: settings }, { ports, principal }) =>
    found(await putRogueDetection(ports, principal, { id: params.namespace_id, settings })),
};
