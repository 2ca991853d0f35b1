import { z } from "zod";
import { MAX_REASON_LENGTH } from "../limits.ts";
import { INTEGRATION_SECRET_SET, type IntegrationKind, ROW_FORMATS } from "./integration-kinds.ts";
import {
  MAX_HOST_LENGTH,
  MAX_INTEGRATION_NAME_LENGTH,
  MAX_INTEGRATION_SECRET_LENGTH,
  MAX_INTEGRATION_URL_LENGTH,
  MAX_OBJECT_PREFIX_LENGTH,
  SYSLOG_TLS_PORT,
} from "./integration-limits.ts";

const MAX_PORT = 65_535;

const URL_EXPECTATION =
  "expected an address that begins with https://, without user, password and #, in at most " +
  `${String(MAX_INTEGRATION_URL_LENGTH)} characters`;
const NAME_EXPECTATION = `expected 1 to ${String(MAX_INTEGRATION_NAME_LENGTH)} characters`;
const DESCRIPTION_EXPECTATION = `expected at most ${String(MAX_REASON_LENGTH)} characters, or null`;
const FORMAT_EXPECTATION = `expected one of ${ROW_FORMATS.join(", ")}`;
const HOST_EXPECTATION = "expected a host name or an address, such as syslog.example.com";
const PORT_EXPECTATION = `expected a whole number from 1 to ${String(MAX_PORT)}`;
const SECRET_EXPECTATION =
  `expected 1 to ${String(MAX_INTEGRATION_SECRET_LENGTH)} characters of printable ASCII; ` +
  `\`${INTEGRATION_SECRET_SET}\` stands for a stored one in answers alone`;
const REGION_EXPECTATION = "expected the name of a region, such as eu-central-1";
const BUCKET_EXPECTATION = "expected 3 to 63 lower-case letters, digits, dots and hyphens";
const PREFIX_EXPECTATION =
  "expected letters, digits and any of . _ - = / that end with /, without .. and //, or an empty text";
const KEY_EXPECTATION = "expected 3 to 128 letters, digits, hyphens and underscores";
const REPOSITORY_EXPECTATION = "expected owner/name, such as acme/agents";

const url = z
  .string({ error: URL_EXPECTATION })
  .max(MAX_INTEGRATION_URL_LENGTH, { error: URL_EXPECTATION })
  .refine(isWebAddress, { error: URL_EXPECTATION });

/** Without a query: other parts are appended to it. */
const baseUrl = url
  .refine((text) => !text.includes("?"), { error: `${URL_EXPECTATION}, and without ?` })
  .transform((text) => text.replace(/\/+$/, ""));

const secret = z
  .string({ error: SECRET_EXPECTATION })
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, { error: SECRET_EXPECTATION })
  .max(MAX_INTEGRATION_SECRET_LENGTH, { error: SECRET_EXPECTATION })
  .refine((text) => text !== INTEGRATION_SECRET_SET, { error: SECRET_EXPECTATION });

const matching = (pattern: RegExp, error: string) => z.string({ error }).regex(pattern, { error });

/** What integrations of all kinds have. */
export const COMMON_FIELDS = {
  name: z
    .string({ error: NAME_EXPECTATION })
    .min(1, { error: NAME_EXPECTATION })
    .max(MAX_INTEGRATION_NAME_LENGTH, { error: NAME_EXPECTATION })
    .describe("What people call it."),
  description: z
    .string({ error: DESCRIPTION_EXPECTATION })
    .max(MAX_REASON_LENGTH, { error: DESCRIPTION_EXPECTATION })
    .nullable()
    .describe("What it is for."),
};

/** Those that rows are sent to. */
const ENABLED = z
  .boolean({ error: "expected true or false" })
  .describe("False: nothing is sent, and its place in the log stays where it is.");

/** Stands beside each use of the format, where the description of the API refers to it. */
export const FORMAT_MEANING =
  "`rows`: each row as it is stored, with its place and hash. `ocsf`: an event of OCSF 1.5.0.";

export const rowFormatSchema = z.enum(ROW_FORMATS, { error: FORMAT_EXPECTATION }).meta({
  id: "RowFormat",
  description: "What a row is sent as.",
});

const AUTHORIZATION = secret
  .nullable()
  .describe("The whole value of the header `authorization`, such as `Bearer ...`. Null: none is sent.");

/** The members of each kind, secrets included, without defaults. */
export const KIND_FIELDS = {
  siem_http: {
    enabled: ENABLED,
    url: url.describe("Where batches are posted, as newline-delimited JSON."),
    format: rowFormatSchema,
    authorization: AUTHORIZATION,
  },
  syslog: {
    enabled: ENABLED,
    host: matching(/^[A-Za-z0-9._:-]+$/, HOST_EXPECTATION)
      .max(MAX_HOST_LENGTH, { error: HOST_EXPECTATION })
      .describe("Who takes syslog over TLS. Its certificate must have this name."),
    port: z
      .int({ error: PORT_EXPECTATION })
      .min(1, { error: PORT_EXPECTATION })
      .max(MAX_PORT, { error: PORT_EXPECTATION })
      .describe("Its port; 6514 is that of syslog over TLS."),
    format: rowFormatSchema,
  },
  object_store: {
    enabled: ENABLED,
    url: baseUrl.describe("The address of the store, in front of /bucket/name."),
    region: matching(/^[a-z0-9-]{1,64}$/, REGION_EXPECTATION).describe(
      "The region that requests are signed for.",
    ),
    bucket: matching(/^[a-z0-9](?:[a-z0-9.-]{1,61})[a-z0-9]$/, BUCKET_EXPECTATION).describe(
      "Where objects are put.",
    ),
    prefix: matching(/^(?:(?!\.\.)[A-Za-z0-9._=-]+\/)*$/, PREFIX_EXPECTATION)
      .max(MAX_OBJECT_PREFIX_LENGTH, { error: PREFIX_EXPECTATION })
      .describe("Begins the name of every object."),
    access_key_id: matching(/^[A-Za-z0-9_-]{3,128}$/, KEY_EXPECTATION).describe("Names the key that signs."),
    secret_access_key: secret.describe("Signs each request (AWS Signature Version 4)."),
  },
  otlp: {
    enabled: ENABLED,
    url: url.describe("Where a collector takes logs by OTLP/HTTP, such as https://host:4318/v1/logs."),
    format: rowFormatSchema,
    authorization: AUTHORIZATION,
  },
  github: {
    url: baseUrl.describe("The REST API: that of GitHub, or of an own server."),
    repository: matching(
      /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})\/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/,
      REPOSITORY_EXPECTATION,
    ).describe("The repository that is read."),
    token: secret.describe("A token that may read the repository, and nothing else."),
  },
} as const satisfies Readonly<Record<IntegrationKind, z.ZodRawShape>>;

/** What a creation may leave out. */
export const KIND_DEFAULTS = {
  siem_http: { enabled: true, format: "rows", authorization: null },
  syslog: { enabled: true, port: SYSLOG_TLS_PORT, format: "rows" },
  object_store: { enabled: true, prefix: "" },
  otlp: { enabled: true, format: "rows", authorization: null },
  github: { url: "https://api.github.com" },
} as const satisfies Readonly<Record<IntegrationKind, object>>;

function isWebAddress(text: string): boolean {
  const parsed = URL.parse(text);
  if (parsed === null || parsed.username !== "" || parsed.password !== "" || text.includes("#")) return false;
  return parsed.protocol === "https:" || parsed.protocol === "http:";
}
