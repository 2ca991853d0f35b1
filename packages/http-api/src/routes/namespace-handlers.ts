import type { namespaceRoutes } from "@svc/api/namespace-routes";
import { createNamespace } from "@svc/control-plane/create-namespace";
import { getNamespace } from "@svc/control-plane/get-namespace";
import { getRogueDetection } from "@svc/control-plane/get-rogue-detection";
import { listNamespaces } from "@svc/control-plane/list-namespaces";
import { putRogueDetection } from "@svc/control-plane/put-rogue-detection";
import { removeNamespace } from "@svc/control-plane/remove-namespace";
import { updateNamespace } from "@svc/control-plane/update-namespace";
import type { Handlers } from "./handler.ts";

export const namespaceHandlers: Handlers<typeof namespaceRoutes> = {
  createNamespace: async ({ body }, { ports, principal }) => {
    const outcome = await createNamespace(ports, principal, body);
    if (outcome.kind === "problem") return outcome;
    const { record } = outcome;
    const headers = { location: `/api/v1/namespaces/${encodeURIComponent(record.id)}` };
    return { kind: "json", status: 201, body: record, headers };
  },
  listNamespaces: async ({ query: { limit, cursor } }, { ports, principal }) => {
    const outcome = await listNamespaces(ports, principal, { limit, after: cursor ?? null });
    if (outcome.kind === "problem") return outcome;
    const { items, next } = outcome.page;
    return { kind: "json", status: 200, body: { namespaces: items, next_cursor: next } };
  },
  getNamespace: async ({ params }, { ports, principal }) => {
    const outcome = await getNamespace(ports, principal, params.namespace_id);
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.record };
  },
  updateNamespace: async ({ params, body: update }, { ports, principal }) => {
    const outcome = await updateNamespace(ports, principal, { id: params.namespace_id, update });
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.record };
  },
  deleteNamespace: async ({ params }, { ports, principal }) => {
    const outcome = await removeNamespace(ports, principal, params.namespace_id);
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.record };
  },
  getRogueDetection: async ({ params }, { ports, principal }) => {
    const outcome = await getRogueDetection(ports, principal, params.namespace_id);
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.settings };
  },
  putRogueDetection: async ({ params, body: settings }, { ports, principal }) => {
    const outcome = await putRogueDetection(ports, principal, { id: params.namespace_id, settings });
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.settings };
  },
};
