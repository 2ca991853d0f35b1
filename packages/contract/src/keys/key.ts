import type { JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { answerForms } from "../fields/answer-forms.ts";
import { IDENTIFIER_EXPECTATION } from "../fields/identifier.ts";
import { identifierSchemaFor } from "../fields/identifier-schema.ts";
import { pageSchema } from "../fields/page.ts";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { timestampSchema } from "../fields/timestamp.ts";
import { measuredAcknowledgementFields } from "../gateways/acknowledgement.ts";
import {
  DEFAULT_ROTATION_OVERLAP_SECONDS,
  MAX_KEY_NAME_LENGTH,
  MAX_ROTATION_OVERLAP_SECONDS,
} from "../limits.ts";
import { keyBindingsSchema, refuseUnusedBindings } from "./key-bindings.ts";
import { keyIdentitySchema } from "./key-identity.ts";
import type { Role } from "./role.ts";
import { roleSchema, scopeSchema } from "./role-schema.ts";

/**
 * `bootstrap`: made or taken by a start, for the operator of the server. `managed`: made by another key.
 * `exchanged`: given for the token of a program, by a trust rule. `login`: given to a person.
 */
export const KEY_ORIGINS = ["bootstrap", "managed", "exchanged", "login"] as const;
export type KeyOrigin = (typeof KEY_ORIGINS)[number];

/** A request for a new key, with every default filled in. */
export interface KeyCreation {
  readonly name: string;
  readonly role: Role;
  /** The only agents that the key may act for; null: every agent. Never empty. */
  readonly agents: readonly string[] | null;
  readonly namespaces: readonly string[] | null;
  /** RFC 3339 UTC with milliseconds; null: the key does not expire. */
  readonly expires_at: string | null;
  /** Null: the organization of the key that asks. */
  readonly org_id: string | null;
}

export interface KeyRotation {
  /** Seconds for which the secrets before this rotation go on working. */
  readonly overlap_seconds: number;
}

const LABEL_EXPECTATION =
  `expected a name for people in 1 to ${String(MAX_KEY_NAME_LENGTH)} characters, ` +
  "without control characters and not only white space";

const TIME_EXPECTATION = 'expected a time in RFC 3339, such as "2030-01-31T12:00:00Z", or null for no end';

const OVERLAP_EXPECTATION = `expected whole seconds from 0 to ${String(MAX_ROTATION_OVERLAP_SECONDS)}`;

const creationFields = z.strictObject({
  name: z
    .string({ error: LABEL_EXPECTATION })
    .max(MAX_KEY_NAME_LENGTH, { error: LABEL_EXPECTATION })
    .regex(/^(?=.*\S)\P{Cc}*$/u, { error: LABEL_EXPECTATION })
    .describe("What people call it."),
  role: roleSchema.describe("What the key may do."),
  agents: keyBindingsSchema("agent").describe("The only agents that the key may act for. Null: every agent."),
  namespaces: keyBindingsSchema("namespace").describe(
    "The only namespaces that it may act in. Null: every one.",
  ),
  expires_at: z.iso
    .datetime({ offset: true, error: TIME_EXPECTATION })
    .transform((time) => new Date(time).toISOString())
    .nullable()
    .default(null)
    .describe("When the key ends, RFC 3339. Null: it does not."),
  org_id: identifierSchemaFor(`the id of an organization: ${IDENTIFIER_EXPECTATION}`)
    .nullable()
    .default(null)
    .describe(
      "Its organization. Null: that of the key that makes it, and no other without the bootstrap key.",
    ),
});

/** Body of `POST keys`. */
export const keyCreationSchema = creationFields
  .superRefine(refuseUnusedBindings)
  .meta({ id: "KeyRequest", description: "Who may do what, and for how long." });

/** Body of `POST keys/{id}/rotate`. */
export const keyRotationSchema = z
  .strictObject({
    overlap_seconds: z
      .int({ error: OVERLAP_EXPECTATION })
      .min(0, { error: OVERLAP_EXPECTATION })
      .max(MAX_ROTATION_OVERLAP_SECONDS, { error: OVERLAP_EXPECTATION })
      .default(DEFAULT_ROTATION_OVERLAP_SECONDS)
      .describe("Seconds until the secrets that the key has now end. 0: at once."),
  })
  .meta({ id: "KeyRotationRequest" });

const RECORD = {
  id: z.string(),
  name: z.string(),
  org_id: z.string(),
  role: roleSchema,
  scopes: z.array(scopeSchema).readonly().describe("What the key may do."),
  agents: z
    .array(z.string())
    .readonly()
    .nullable()
    .describe("The only agents that the key may act for. Null: every agent."),
  namespaces: z
    .array(z.string())
    .readonly()
    .nullable()
    .describe("The only namespaces that the key may act in. Null: every namespace."),
  origin: z
    .enum(KEY_ORIGINS)
    .meta({ id: "KeyOrigin" })
    .describe("What made it: a start, another key, the token of a program, or a login."),
  identity: keyIdentitySchema.nullable().describe("Whom an identity provider named. Null for other keys."),
  created_at: timestampSchema,
  created_by: z.string().describe("Id of the key that made it; `bootstrap` when a start did."),
  expires_at: timestampSchema.nullable().describe("Null: it does not expire."),
  revoked_at: timestampSchema.nullable(),
  revoked_by: z.string().nullable().describe("Id of the key that revoked it."),
  secrets: z
    .array(
      z
        .strictObject({
          created_at: timestampSchema,
          expires_at: timestampSchema.nullable().describe("Null: it ends with the key."),
        })
        .meta({ id: "KeySecret", description: "The times of a secret, without the secret." })
        .readonly(),
    )
    .readonly()
    .describe("When each secret was made and ends, oldest first. The secrets themselves are not stored."),
};

/** A key as it is shown. It has no place for a secret or a digest of one. */
export const keySchema = z
  .strictObject(RECORD)
  .meta({ id: "Key", description: "An API key, and what its holder may do." });
export type KeyRecord = Readonly<z.infer<typeof keySchema>>;

export const keyPageSchema = pageSchema("keys", keySchema).meta({
  id: "KeyPage",
  description: "A page of keys.",
});

/** The answer to a creation or a rotation. */
export const issuedKeySchema = keySchema
  .extend({
    kind: z.literal("issued"),
    key: z.string().describe("The API key with its new secret. It is shown this once."),
    ...measuredAcknowledgementFields,
  })
  .meta({ id: "IssuedKey", description: "A key with a new secret, and the gateways that accept it." });
export type IssuedKey = Readonly<z.infer<typeof issuedKeySchema>>;

/** The answer to a repeat of a creation or a rotation. */
export const repeatedKeySchema = keySchema
  .extend({
    kind: z.literal("repeated"),
    ...measuredAcknowledgementFields,
    detail: z.string().describe("Why the secret is missing."),
  })
  .meta({ id: "RepeatedKey", description: "What an earlier request has made. Its secret is shown once." });

/** The answer to a request for a secret. A secret is never stored, so the answer to a repeat has none. */
export const keyAnswerSchema = answerForms("kind", [issuedKeySchema, repeatedKeySchema], {
  id: "KeyAnswer",
  description: "A key with a new secret, or what an earlier request has made.",
});

/** The answer to a revocation. */
export const revokedKeySchema = keySchema
  .extend({
    ...measuredAcknowledgementFields,
    enforced: z.boolean().describe("True only when every known gateway has acknowledged that it refuses it."),
  })
  .meta({ id: "RevokedKey", description: "A key that was revoked, and the gateways that refuse it." });
export type RevokedKey = Readonly<z.infer<typeof revokedKeySchema>>;

/** Who the server takes the caller for. */
export const whoAmISchema = z
  .strictObject({
    principal: z.string().describe("How rows name the caller: the id of the key, or of the person."),
    key_id: z.string().describe("Id of the key, or `anonymous` while authentication is off."),
    name: z.string().nullable().describe("Name of the key. Null while authentication is off."),
    org_id: RECORD.org_id,
    role: RECORD.role,
    scopes: RECORD.scopes,
    agents: RECORD.agents,
    namespaces: RECORD.namespaces,
    expires_at: RECORD.expires_at,
    identity: keyIdentitySchema.nullable().describe("Whom an identity provider named. Null for other keys."),
    server_version: z.string(),
  })
  .meta({ id: "WhoAmI", description: "The key of the request, and what it may do." });

export function parseKeyCreation(value: JsonValue): Parsed<KeyCreation> {
  return parseWith(keyCreationSchema, value, nearestField(Object.keys(creationFields.shape)));
}

export function parseKeyRotation(value: JsonValue): Parsed<KeyRotation> {
  return parseWith(keyRotationSchema, value, nearestField(Object.keys(keyRotationSchema.shape)));
}
