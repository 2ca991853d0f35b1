import { issuerPlace } from "@svc/contract/person-id";
import { PERSON_ROLES, type Role } from "@svc/contract/role";
import type { ClaimSettings } from "@svc/identity/read-person";
import { parseHttpUrl } from "@svc/process/parsers";
import { parseJson } from "@svc/text/parse-json";
import { z } from "zod";

/** One provider that people sign in with. */
export interface OidcProvider {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client. */
  readonly clientSecret: string | null;
}

/** How people sign in. */
export interface OidcSettings {
  /** Empty: people have API keys alone. */
  readonly providers: readonly OidcProvider[];
  readonly claims: ClaimSettings;
  readonly scopes: string;
}

/** Providers of one server, as count: a login page has a link for each. */
const MAX_PROVIDERS = 10;

/** Entries of the map from claims to roles, as count: people read all of them. */
const MAX_ROLE_ENTRIES = 200;

export interface ClaimsVariable extends ClaimSettings {
  readonly scopes: string;
}

const text = z.string().min(1).max(256);

const claimsSchema = z.strictObject({
  name: text.default("name"),
  groups: text.default("groups"),
  organization: text.nullable().default(null),
  scopes: text.default("openid profile email"),
  roles: z
    .array(z.strictObject({ claim: text, value: text, role: z.enum(PERSON_ROLES as [Role, ...Role[]]) }))
    .max(MAX_ROLE_ENTRIES)
    .default([]),
});

export const NO_CLAIMS: ClaimsVariable = claimsSchema.parse({});

const CLAIMS_FORM =
  'JSON such as {"groups":"groups","roles":[{"claim":"groups","value":"finance","role":"approver"}]}';

/** Reads SVC_OIDC_CLAIMS. */
export function parseOidcClaims(value: string): ClaimsVariable {
  const parsed = claimsSchema.safeParse(jsonOf(value));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined ? "" : ` (${issue.path.join(".")}: ${issue.message})`;
  throw new Error(`${CLAIMS_FORM}, with the roles ${PERSON_ROLES.join(", ")}${where}`);
}

function jsonOf(value: string): unknown {
  try {
    return parseJson(value);
  } catch {
    return null;
  }
}

/** Reads SVC_OIDC_ISSUER. A provider writes its own name in one way, with or without a slash at its end. */
export function parseIssuers(value: string): readonly string[] {
  const issuers = parseParts(value);
  for (const issuer of issuers) parseHttpUrl(issuer);
  if (issuers.length > MAX_PROVIDERS || new Set(issuers.map(issuerPlace)).size !== issuers.length)
    throw new Error(`1 to ${String(MAX_PROVIDERS)} different addresses of providers, separated by commas`);
  return issuers;
}

/** Reads SVC_OIDC_CLIENT_ID and SVC_OIDC_CLIENT_SECRET: one part for each issuer. */
export function parseParts(value: string): readonly string[] {
  return value.split(",").map((part) => part.trim());
}

interface OidcVariables {
  readonly issuers: readonly string[];
  readonly clientIds: readonly string[];
  readonly clientSecrets: readonly string[];
  readonly claims: ClaimsVariable;
  readonly authentication: "on" | "off";
}

/** @throws when the variables do not go together; the message names the variable. */
export function oidcSettings(given: OidcVariables): OidcSettings {
  const { issuers, clientIds, clientSecrets, claims, authentication } = given;
  const { scopes, ...settings } = claims;
  if (issuers.length === 0) return { providers: [], claims: settings, scopes };
  if (authentication === "off")
    throw new Error("SVC_OIDC_ISSUER: expected none while SVC_AUTH is off, because nobody signs in then");
  const each = `one for each issuer of SVC_OIDC_ISSUER (${String(issuers.length)}), in the same order`;
  if (clientIds.length !== issuers.length || clientIds.includes(""))
    throw new Error(`SVC_OIDC_CLIENT_ID: expected ${each}, separated by commas`);
  if (clientSecrets.length > 0 && clientSecrets.length !== issuers.length)
    throw new Error(`SVC_OIDC_CLIENT_SECRET: expected none, or ${each}; an empty part is a public client`);
  if (settings.roles.length === 0)
    throw new Error("SVC_OIDC_CLAIMS: expected at least one entry of roles, or nobody could sign in");
  const providers = issuers.map((issuer, at) => ({
    issuer,
    clientId: clientIds[at] ?? "",
    clientSecret: (clientSecrets[at] ?? "") === "" ? null : (clientSecrets[at] ?? null),
  }));
  return { providers, claims: settings, scopes };
}
