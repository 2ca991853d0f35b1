import type { ApiKey } from "@svc/control-plane/api-key";
import type { TrustedProxies } from "@svc/http-edge/connections/trusted-proxies";
import { EVERY_ADDRESS } from "@svc/http-edge/host-check";
import type { TlsValues } from "@svc/http-edge/tls/tls-variables";
import type { AllowedDestination } from "@svc/outbound/parse-outbound-allow";
import type { SmtpSettings } from "@svc/outbox/smtp-settings";
import { isLoopback } from "@svc/process/is-loopback";
import type { LogFormat } from "@svc/process/log-format";
import type { ListenText } from "@svc/process/parsers";
import { readEnvironment } from "@svc/process/read-environment";
import type { MasterKeys } from "@svc/secrets/master-keys";
import type { ProcessRole } from "@svc/store/ports/cluster";
import { type TelemetryValues, telemetryValues } from "@svc/telemetry/telemetry-environment";
import { smtpSettings } from "./channel-settings.ts";
import { type OidcSettings, oidcSettings } from "./oidc-settings.ts";
import { DEFAULT_PUBLIC_URL, SERVER_ENVIRONMENT } from "./server-environment.ts";

/** Where the server may call. */
export interface OutboundSettings {
  readonly allow: readonly AllowedDestination[];
  readonly allowPrivate: boolean;
  /** Null: the authorities of Node alone. */
  readonly caFile: string | null;
}

/** Everything that can be set, read once. */
export interface ServerSettings {
  readonly listen: ListenText;
  readonly role: ProcessRole;
  readonly dataDir: string;
  /** Null: the embedded store in the data directory. */
  readonly databaseUrl: string | null;
  readonly publicUrl: string;
  /** Stands before the path of a page about a reason. Empty: nobody said where people reach the server. */
  readonly docsUrl: string;
  readonly bootstrapKey: ApiKey | null;
  readonly authentication: "on" | "off";
  /** How people sign in. */
  readonly oidc: OidcSettings;
  /** Origins whose pages may use the control routes. */
  readonly corsOrigins: readonly string[];
  /** Null: kept in the data directory. */
  readonly gatewayId: string | null;
  /** Days that audit rows are kept. Null: for ever. */
  readonly auditRetentionDays: number | null;
  /** Whether whole calls are read in front of Node's HTTP parser. */
  readonly fastLane: "on" | "off";
  /** The keys of stored secrets. Null: a file of the data directory has them, or nobody. */
  readonly secretsKeys: MasterKeys | null;
  readonly outbound: OutboundSettings;
  /** The server that takes mail of notification channels. Null: none is sent. */
  readonly smtp: SmtpSettings | null;
  /** The Events API v2 of PagerDuty, without a slash at its end. */
  readonly pagerdutyUrl: string;
  /** Where spans and metrics leave to. */
  readonly telemetry: TelemetryValues;
  /** Files of the certificates of the listener. None set: plain HTTP. */
  readonly tls: TlsValues<"SVC_TLS">;
  /** Addresses that no limit per address counts. */
  readonly trustedProxies: TrustedProxies;
  readonly logLevel: string;
  readonly logFormat: LogFormat;
}

/** @throws when a value is malformed or values do not go together; the message names the variable. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): ServerSettings {
  const values = readEnvironment(SERVER_ENVIRONMENT, env);
  refuseCombinations(values);
  const listen = values.SVC_LISTEN;
  return {
    listen,
    role: values.SVC_ROLE,
    dataDir: values.SVC_DATA_DIR,
    databaseUrl: values.SVC_DATABASE_URL,
    publicUrl:
      values.SVC_PUBLIC_URL ?? addressOf(listen, values.SVC_TLS_CERT_FILE === null ? "http" : "https"),
    docsUrl: values.SVC_PUBLIC_URL ?? "",
    bootstrapKey: values.SVC_BOOTSTRAP_API_KEY,
    authentication: values.SVC_AUTH,
    oidc: oidcSettings({
      issuers: values.SVC_OIDC_ISSUER,
      clientIds: values.SVC_OIDC_CLIENT_ID,
      clientSecrets: values.SVC_OIDC_CLIENT_SECRET,
      claims: values.SVC_OIDC_CLAIMS,
      authentication: values.SVC_AUTH,
    }),
    corsOrigins: values.SVC_CORS_ORIGINS,
    gatewayId: values.SVC_GATEWAY_ID,
    auditRetentionDays: values.SVC_AUDIT_RETENTION_DAYS,
    fastLane: values.SVC_FAST_LANE,
    secretsKeys: values.SVC_SECRETS_KEY,
    outbound: {
      allow: values.SVC_OUTBOUND_ALLOW,
      allowPrivate: values.SVC_WEBHOOK_ALLOW_PRIVATE,
      caFile: values.SVC_OUTBOUND_CA_FILE,
    },
    smtp: smtpSettings(values),
    pagerdutyUrl: values.SVC_PAGERDUTY_URL,
    telemetry: telemetryValues(values),
    tls: {
      SVC_TLS_CERT_FILE: values.SVC_TLS_CERT_FILE,
      SVC_TLS_KEY_FILE: values.SVC_TLS_KEY_FILE,
      SVC_TLS_CLIENT_CA_FILE: values.SVC_TLS_CLIENT_CA_FILE,
    },
    trustedProxies: values.SVC_TRUSTED_PROXIES,
    logLevel: values.SVC_LOG_LEVEL,
    logFormat: values.SVC_LOG_FORMAT,
  };
}

type Values = ReturnType<typeof readEnvironment<typeof SERVER_ENVIRONMENT>>;

/** @throws when values do not go together */
function refuseCombinations(values: Values): void {
  const { host } = values.SVC_LISTEN;
  if (values.SVC_AUTH === "off" && !isLoopback(host)) {
    throw new Error(
      `SVC_AUTH: expected on while SVC_LISTEN is ${host}: off works on loopback only, found "off"`,
    );
  }
  if (values.SVC_ROLE !== "all" && values.SVC_DATABASE_URL === null) {
    throw new Error(
      "SVC_DATABASE_URL: expected the PostgreSQL that all processes share, because SVC_ROLE is " +
        `${values.SVC_ROLE}; found none. Set it, or leave SVC_ROLE out`,
    );
  }
  if (values.SVC_DATABASE_URL !== null && values.SVC_SECRETS_KEY === null) {
    throw new Error(
      "SVC_SECRETS_KEY: expected the key of stored secrets, because every process on the database of " +
        "SVC_DATABASE_URL needs the same one; found none. Make one with `openssl rand -base64 32`, keep it " +
        "in a file of mode 0600, and set SVC_SECRETS_KEY_FILE to the path of the file",
    );
  }
}

/** Where people on this machine, or on the network of this host, reach the server. */
function addressOf({ host, port }: ListenText, scheme: "http" | "https"): string {
  // The port of 0 is known only when the server listens.
  if (port === 0) return DEFAULT_PUBLIC_URL.replace("http", scheme);
  const isHere = isLoopback(host) || EVERY_ADDRESS.has(host);
  const name = host.includes(":") ? `[${host}]` : host;
  return `${scheme}://${isHere ? "localhost" : name}:${String(port)}`;
}
