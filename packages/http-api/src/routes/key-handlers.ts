import type { keyRoutes } from "@svc/api/key-routes";
import { ANONYMOUS, keyIdOf } from "@svc/contract/principal";
import { createKey } from "@svc/control-plane/create-key";
import { endLogin } from "@svc/control-plane/end-login";
import { endLoginsOf } from "@svc/control-plane/end-logins-of";
import { getKey } from "@svc/control-plane/get-key";
import { listKeys } from "@svc/control-plane/list-keys";
import { revokeKey } from "@svc/control-plane/revoke-key";
import { rotateKey } from "@svc/control-plane/rotate-key";
import { VERSION } from "@svc/process/version";
import type { Handlers } from "./handler.ts";
import { found, listed } from "./reply-found.ts";

export const keyHandlers: Handlers<typeof keyRoutes> = {
  createKey: async ({ body }, { ports, principal }) => {
    const outcome = await createKey(ports, principal, body);
    if (outcome.kind === "problem") return outcome;
    const headers = { location: `/api/v1/keys/${outcome.value.id}` };
    return { kind: "json", status: 201, body: outcome.value, headers };
  },
  listKeys: async ({ query: { org_id, limit, cursor } }, { ports, principal }) => {
    const page = { limit, after: cursor ?? null };
    return listed("keys", await listKeys(ports, principal, { org: org_id ?? null, page }));
  },
  getKey: async ({ params }, { ports, principal }) => found(await getKey(ports, principal, params.key_id)),
  rotateKey: async ({ params, body }, { ports, principal }) =>
    found(await rotateKey(ports, principal, { id: params.key_id, ...body })),
  revokeKey: async ({ params }, { ports, principal }) =>
    found(await revokeKey(ports, principal, params.key_id)),
  endLogin: async (_input, { ports, principal }) => found(await endLogin(ports, principal)),
  endLoginsOf: async ({ params }, { ports, principal }) =>
    found(await endLoginsOf(ports, principal, params.person)),
  whoAmI: async (_input, { ports, principal }) => {
    const { id, org, role, scopes, agents, namespaces, expires_at } = principal;
    const keyId = keyIdOf(principal);
    const own = id === ANONYMOUS ? null : await getKey(ports, principal, keyId);
    if (own?.kind === "problem") return own;
    const body = {
      principal: id,
      key_id: keyId,
      name: own?.value.name ?? null,
      org_id: org,
      role,
      scopes: [...scopes],
      agents: agents === null ? null : [...agents],
      namespaces: namespaces === null ? null : [...namespaces],
      expires_at: own?.value.expires_at ?? expires_at,
      identity: own?.value.identity ?? null,
      server_version: VERSION,
    };
    return { kind: "json", status: 200, body };
  },
};
