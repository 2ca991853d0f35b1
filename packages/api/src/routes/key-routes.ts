import { endedLoginsSchema } from "@svc/contract/ended-logins";
import { identifierSchema } from "@svc/contract/identifier-schema";
import {
  keyAnswerSchema,
  keyCreationSchema,
  keyPageSchema,
  keyRotationSchema,
  keySchema,
  parseKeyCreation,
  parseKeyRotation,
  revokedKeySchema,
  whoAmISchema,
} from "@svc/contract/key";
import { z } from "zod";
import { PAGE } from "../page-parameters.ts";
import { answer, jsonBody, page, route } from "../route.ts";

const ID = z.strictObject({
  key_id: z.string().describe("The id of the key: the part between `svc_` and the next `_`."),
});

const KEY = {
  id: "9d41c07be2aa",
  name: "payments agent",
  org_id: "default",
  role: "agent",
  scopes: ["call:execute", "outcome:own"],
  agents: ["payments-agent"],
  namespaces: null,
  origin: "managed",
  identity: null,
  created_at: "2026-11-22T09:00:00.000Z",
  created_by: "3f9c1e2a7b4d",
  expires_at: null,
  revoked_at: null,
  revoked_by: null,
  secrets: [{ created_at: "2026-11-22T09:00:00.000Z", expires_at: null }],
} as const;

const GATEWAYS = { propagation_ms: 4, gateways: [{ id: "gw_1f0c", acknowledged_ms: 1.9 }] } as const;

const ISSUED = { kind: "issued", key: `svc_${KEY.id}_<secret>`, ...KEY, ...GATEWAYS } as const;

const ROTATED = {
  ...ISSUED,
  secrets: [
    { created_at: KEY.created_at, expires_at: "2026-11-22T11:00:00.000Z" },
    { created_at: "2026-11-22T10:00:00.000Z", expires_at: null },
  ],
} as const;

const REVOKED = {
  ...KEY,
  revoked_at: "2026-11-22T10:00:00.000Z",
  revoked_by: "3f9c1e2a7b4d",
  secrets: [],
  ...GATEWAYS,
  enforced: true,
} as const;

const READS = { access: { kind: "scope", scope: "key:read" }, rateClass: "read" } as const;

const WRITES = { access: { kind: "scope", scope: "key:write" }, rateClass: "write" } as const;

export const keyRoutes = {
  createKey: route({
    method: "POST",
    path: "/keys",
    tag: "Keys",
    summary: "Create an API key",
    description:
      "The answer holds the key with its secret, this once. No key makes one that may do more than itself. " +
      "Only the bootstrap key makes keys of role `admin` and of other organizations.",
    ...WRITES,
    body: jsonBody(keyCreationSchema, parseKeyCreation, {
      name: KEY.name,
      role: KEY.role,
      agents: ["payments-agent"],
    }),
    idempotency: "answer",
    answers: {
      201: answer(
        "The key is created, and accepted where a gateway has acknowledged.",
        keyAnswerSchema,
        ISSUED,
        ["location"],
      ),
    },
    problems: ["limit_reached"],
  }),
  listKeys: route({
    method: "GET",
    path: "/keys",
    tag: "Keys",
    summary: "List API keys",
    description: "By id, with those that were revoked. No answer holds a secret.",
    ...READS,
    query: z.strictObject({
      org_id: identifierSchema
        .optional()
        .describe("The organization. Only the bootstrap key may name another than its own."),
      ...PAGE,
    }),
    answers: {
      200: page("A page of keys.", keyPageSchema, { keys: [KEY] }),
    },
  }),
  getKey: route({
    method: "GET",
    path: "/keys/{key_id}",
    tag: "Keys",
    summary: "Read an API key",
    description: "What the key may do and when it ends.",
    ...READS,
    params: ID,
    answers: { 200: answer("The key.", keySchema, KEY) },
    problems: ["not_found"],
  }),
  rotateKey: route({
    method: "POST",
    path: "/keys/{key_id}/rotate",
    tag: "Keys",
    summary: "Give an API key a new secret",
    description:
      "The new secret works at once. The earlier ones end after `overlap_seconds`, and with 0 at once. " +
      "The id, the role and the bindings stay.",
    ...WRITES,
    params: ID,
    body: jsonBody(keyRotationSchema, parseKeyRotation, { overlap_seconds: 3_600 }, { value: {} }),
    idempotency: "answer",
    answers: {
      200: answer("The key has a new secret.", keyAnswerSchema, ROTATED),
    },
    problems: ["not_found", "conflict", "limit_reached"],
  }),
  revokeKey: route({
    method: "DELETE",
    path: "/keys/{key_id}",
    tag: "Keys",
    summary: "Revoke an API key",
    description:
      "Ends a key for good. The answer comes when every gateway has acknowledged that it refuses the key, " +
      "or after 100 ms, and says which did. Repeating it changes nothing.",
    ...WRITES,
    rateClass: "switch",
    params: ID,
    answers: { 200: answer("The key is revoked.", revokedKeySchema, REVOKED) },
    problems: ["not_found"],
  }),
  endLogin: route({
    method: "POST",
    path: "/logout",
    tag: "Keys",
    summary: "End the login of the caller",
    description:
      "Ends the key of the request, when a login or a token gave it. Other keys are revoked by their id.",
    access: { kind: "any_key" },
    rateClass: "switch",
    answers: { 200: answer("The login has ended.", revokedKeySchema, REVOKED) },
    problems: ["conflict"],
  }),
  endLoginsOf: route({
    method: "POST",
    path: "/people/{person}/logout",
    tag: "Keys",
    summary: "End all logins of a person",
    description:
      "Ends the keys of all logins of a person, in browsers and of svc-cli. The person can sign in again: " +
      "take the account away at the provider first. Repeating it ends what began meanwhile.",
    ...WRITES,
    rateClass: "switch",
    params: z.strictObject({
      person: z
        .string()
        .describe(
          "How rows name the person, such as `ada@login.example.com`, or subject and issuer as the " +
            "provider writes them. One segment: `/` is `%2F`.",
        ),
    }),
    answers: {
      200: answer("The logins have ended.", endedLoginsSchema, {
        person: "ada@login.example.com",
        key_ids: [KEY.id],
        enforced: true,
      }),
    },
    problems: ["not_found"],
  }),
  whoAmI: route({
    method: "GET",
    path: "/whoami",
    tag: "Keys",
    summary: "Say who the caller is",
    description: "The key of the request: its role, what it may do, and when it ends.",
    access: { kind: "any_key" },
    rateClass: "read",
    answers: {
      200: {
        description: "The key of the request.",
        schema: whoAmISchema,
        example: {
          principal: KEY.id,
          key_id: KEY.id,
          name: KEY.name,
          org_id: KEY.org_id,
          role: KEY.role,
          scopes: KEY.scopes,
          agents: KEY.agents,
          namespaces: KEY.namespaces,
          expires_at: KEY.expires_at,
          identity: null,
          server_version: "0.1.0",
        },
      },
    },
  }),
} as const;
