import type { keyRoutes } from "@svc/api/key-routes";
import { ANONYMOUS } from "@svc/contract/principal";
import { createKey } from "@svc/control-plane/create-key";
import { getKey } from "@svc/control-plane/get-key";
import { listKeys } from "@svc/control-plane/list-keys";
import { revokeKey } from "@svc/control-plane/revoke-key";
import { rotateKey } from "@svc/control-plane/rotate-key";
import { VERSION } from "@svc/process/version";
import type { Handlers } from "./handler.ts";

export const keyHandlers: Handlers<typeof keyRoutes> = {
  createKey: async ({ body }, { ports, principal }) => {
    const outcome = await createKey(ports, principal, body);
    if (outcome.kind === "problem") return outcome;
    const headers = { location: `/api/v1/keys/${outcome.answer.id}` };
    return { kind: "json", status: 201, body: outcome.answer, headers };
  },
  listKeys: async ({ query: { org_id, limit, cursor } }, { ports, principal }) => {
    const page = { limit, after: cursor ?? null };
    const outcome = await listKeys(ports, principal, { org: org_id ?? null, page });
    if (outcome.kind === "problem") return outcome;
    const { items, next } = outcome.page;
    return { kind: "json", status: 200, body: { keys: items, next_cursor: next } };
  },
  getKey: async ({ params }, { ports, principal }) => {
    const outcome = await getKey(ports, principal, params.key_id);
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.record };
  },
  rotateKey: async ({ params, body }, { ports, principal }) => {
    const outcome = await rotateKey(ports, principal, { id: params.key_id, ...body });
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.answer };
  },
  revokeKey: async ({ params }, { ports, principal }) => {
    const outcome = await revokeKey(ports, principal, params.key_id);
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.answer };
  },
  whoAmI: async (_input, { ports, principal }) => {
    const { id, org, role, scopes, agents, namespaces, expires_at } = principal;
    const found = id === ANONYMOUS ? null : await getKey(ports, principal, id);
    if (found?.kind === "problem") return found;
    const body = {
      key_id: id,
      name: found?.record.name ?? null,
      org_id: org,
      role,
      scopes: [...scopes],
      agents: agents === null ? null : [...agents],
      namespaces: namespaces === null ? null : [...namespaces],
      expires_at,
      server_version: VERSION,
    };
    return { kind: "json", status: 200, body };
  },
};
