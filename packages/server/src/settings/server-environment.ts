import { IDENTIFIER_EXPECTATION, isIdentifier } from "@svc/contract/identifier";
import { MAX_AUDIT_RETENTION_DAYS } from "@svc/contract/limits";
import { API_KEY_EXPECTATION, type ApiKey, parseApiKey } from "@svc/control-plane/api-key";
import { TRUSTED_PROXIES_VARIABLE, type TrustedProxies } from "@svc/http-edge/connections/trusted-proxies";
import { type TlsTable, tlsVariables } from "@svc/http-edge/tls/tls-variables";
import { type AllowedDestination, parseOutboundAllow } from "@svc/outbound/parse-outbound-allow";
import type { EnvironmentVariable } from "@svc/process/environment-table";
import { LOG_FORMAT_VARIABLE, type LogFormat } from "@svc/process/log-format";
import { LOG_LEVEL_VARIABLE, type LogLevel } from "@svc/process/log-level";
import {
  type ListenText,
  parseBoolean,
  parseHttpUrl,
  parseListen,
  parseOneOf,
  parseOrigins,
  parseText,
} from "@svc/process/parsers";
import { type MasterKeys, parseMasterKeys } from "@svc/secrets/master-keys";
import { databaseHosts } from "@svc/store/database-hosts";
import type { ProcessRole } from "@svc/store/ports/cluster";
import { telemetryEnvironment } from "@svc/telemetry/telemetry-environment";
import { CHANNEL_VARIABLES } from "./channel-settings.ts";
import {
  type ClaimsVariable,
  NO_CLAIMS,
  parseIssuers,
  parseOidcClaims,
  parseParts,
} from "./oidc-settings.ts";

/** Where people reach a server that says nothing about it. */
export const DEFAULT_PUBLIC_URL = "http://localhost:8080";

/** Every variable that svc-server reads, once, at start. A malformed value stops the start. */
export const SERVER_ENVIRONMENT = {
  SVC_LISTEN: {
    parse: parseListen,
    fallback: { host: "127.0.0.1", port: 8080 },
    defaultText: "127.0.0.1:8080",
    meaning: "address of the gateway and control endpoints; port 0 picks a free one and logs it",
  },
  SVC_ROLE: {
    parse: parseOneOf(["all", "gateway", "control"]),
    fallback: "all",
    defaultText: "all",
    meaning: "what this process serves: gateway decides calls, control serves the control API, all does both",
  },
  SVC_DATA_DIR: {
    parse: parseText,
    fallback: "./.svc",
    defaultText: "./.svc",
    meaning: "directory of the embedded store, the gateway id, the signing key and the checkpoint file",
  },
  SVC_DATABASE_URL: {
    parse: parseDatabaseUrl,
    fallback: null,
    defaultText: "none",
    meaning: "postgres://... switches from the embedded store to PostgreSQL",
    secret: true,
  },
  SVC_PUBLIC_URL: {
    parse: (text) => parseHttpUrl(text).href.replace(/\/+$/, ""),
    fallback: null,
    defaultText: "http://localhost:8080, with the host and port of SVC_LISTEN",
    meaning: "prefix of approval_url, and where it is set of the docs of a deny",
  },
  SVC_BOOTSTRAP_API_KEY: {
    parse: parseKey,
    fallback: null,
    defaultText: "none",
    meaning:
      "the admin key; without it the first start makes one and writes it to admin-key in the data directory",
    secret: true,
  },
  SVC_AUTH: {
    parse: parseOneOf(["on", "off"]),
    fallback: "on",
    defaultText: "on",
    meaning: "off accepts every request, on a loopback listener only",
  },
  SVC_OIDC_ISSUER: {
    parse: parseIssuers,
    fallback: [],
    defaultText: "none",
    meaning: "providers of OpenID Connect that people sign in with, separated by commas",
  },
  SVC_OIDC_CLIENT_ID: {
    parse: parseParts,
    fallback: [],
    defaultText: "none",
    meaning: "the client of this server at each provider, in the same order",
  },
  SVC_OIDC_CLIENT_SECRET: {
    parse: parseParts,
    fallback: [],
    defaultText: "none",
    meaning: "the secret of each client, in the same order; an empty part is a public client",
    secret: true,
  },
  SVC_OIDC_CLAIMS: {
    parse: parseOidcClaims,
    fallback: NO_CLAIMS,
    defaultText: "none",
    meaning: "JSON: which claims hold name, groups and organization of a person, and which give roles",
  },
  SVC_CORS_ORIGINS: {
    parse: parseOrigins,
    fallback: [],
    defaultText: "none",
    meaning: "origins whose pages may use the control API, separated by commas; never tool calls",
  },
  SVC_GATEWAY_ID: {
    parse: parseGatewayId,
    fallback: null,
    defaultText: "random, kept in the data directory",
    meaning: "names this process's audit log",
  },
  SVC_AUDIT_RETENTION_DAYS: {
    parse: parseRetentionDays,
    fallback: null,
    defaultText: "off",
    meaning: "days that audit rows are kept; a namespace may keep its decisions longer; off keeps all",
  },
  SVC_FAST_LANE: {
    parse: parseOneOf(["on", "off"]),
    fallback: "on",
    defaultText: "on",
    meaning: "on reads ordinary calls in front of Node's HTTP parser; off reads every request with it",
  },
  SVC_OUTBOUND_ALLOW: {
    parse: parseOutboundAllow,
    fallback: [],
    defaultText: "none",
    meaning:
      "hosts, addresses and networks of yours that the server may call, with or without a port, separated " +
      "by commas; public ones need no entry",
  },
  SVC_OUTBOUND_CA_FILE: {
    parse: (text: string): string | null => parseText(text),
    fallback: null,
    defaultText: "none",
    meaning: "PEM file of authorities that count beside the usual ones for what the server calls",
  },
  SVC_WEBHOOK_ALLOW_PRIVATE: {
    parse: parseBoolean,
    fallback: false,
    defaultText: "false",
    meaning: "true permits calls to every private address, for tries",
  },
  SVC_SECRETS_KEY: {
    parse: (text: string): MasterKeys | null => parseMasterKeys(text),
    fallback: null,
    defaultText: "secrets-key in the data directory; required with SVC_DATABASE_URL",
    meaning: "the key that encrypts stored secrets; while it is replaced, the new one and then the old one",
    secret: true,
  },
  ...CHANNEL_VARIABLES,
  ...telemetryEnvironment,
  ...tlsVariables("SVC_TLS", "a client"),
  SVC_TRUSTED_PROXIES: TRUSTED_PROXIES_VARIABLE,
  SVC_LOG_LEVEL: LOG_LEVEL_VARIABLE,
  SVC_LOG_FORMAT: LOG_FORMAT_VARIABLE,
} as const satisfies TlsTable<"SVC_TLS"> &
  typeof CHANNEL_VARIABLES &
  typeof telemetryEnvironment & {
    readonly SVC_LISTEN: EnvironmentVariable<ListenText>;
    readonly SVC_ROLE: EnvironmentVariable<ProcessRole>;
    readonly SVC_DATA_DIR: EnvironmentVariable<string>;
    readonly SVC_DATABASE_URL: EnvironmentVariable<string | null>;
    readonly SVC_PUBLIC_URL: EnvironmentVariable<string | null>;
    readonly SVC_BOOTSTRAP_API_KEY: EnvironmentVariable<ApiKey | null>;
    readonly SVC_AUTH: EnvironmentVariable<"on" | "off">;
    readonly SVC_OIDC_ISSUER: EnvironmentVariable<readonly string[]>;
    readonly SVC_OIDC_CLIENT_ID: EnvironmentVariable<readonly string[]>;
    readonly SVC_OIDC_CLIENT_SECRET: EnvironmentVariable<readonly string[]>;
    readonly SVC_OIDC_CLAIMS: EnvironmentVariable<ClaimsVariable>;
    readonly SVC_CORS_ORIGINS: EnvironmentVariable<readonly string[]>;
    readonly SVC_GATEWAY_ID: EnvironmentVariable<string | null>;
    readonly SVC_AUDIT_RETENTION_DAYS: EnvironmentVariable<number | null>;
    readonly SVC_FAST_LANE: EnvironmentVariable<"on" | "off">;
    readonly SVC_SECRETS_KEY: EnvironmentVariable<MasterKeys | null>;
    readonly SVC_OUTBOUND_ALLOW: EnvironmentVariable<readonly AllowedDestination[]>;
    readonly SVC_OUTBOUND_CA_FILE: EnvironmentVariable<string | null>;
    readonly SVC_WEBHOOK_ALLOW_PRIVATE: EnvironmentVariable<boolean>;
    readonly SVC_TRUSTED_PROXIES: EnvironmentVariable<TrustedProxies>;
    readonly SVC_LOG_LEVEL: EnvironmentVariable<LogLevel>;
    readonly SVC_LOG_FORMAT: EnvironmentVariable<LogFormat>;
  };

function parseDatabaseUrl(text: string): string {
  databaseHosts(text);
  return text;
}

function parseKey(text: string): ApiKey {
  const key = parseApiKey(text);
  if (key === null) throw new Error(API_KEY_EXPECTATION);
  return key;
}

function parseRetentionDays(text: string): number | null {
  if (text === "off") return null;
  const days = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(days <= MAX_AUDIT_RETENTION_DAYS))
    throw new Error(`off, or whole days from 1 to ${String(MAX_AUDIT_RETENTION_DAYS)}`);
  return days;
}

function parseGatewayId(text: string): string {
  if (!isIdentifier(text)) throw new Error(IDENTIFIER_EXPECTATION);
  return text;
}
