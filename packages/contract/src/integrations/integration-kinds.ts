/** What an integration is connected to. All but `github` are sent the rows of the audit log. */
export const INTEGRATION_KINDS = ["siem_http", "syslog", "object_store", "otlp", "github"] as const;
export type IntegrationKind = (typeof INTEGRATION_KINDS)[number];

/** `rows`: each row as it is stored, with its place and hash. `ocsf`: as an event of OCSF 1.5.0. */
export const ROW_FORMATS = ["rows", "ocsf"] as const;
export type RowFormat = (typeof ROW_FORMATS)[number];

/** Stands for a secret that is set, and is never shown. */
export const INTEGRATION_SECRET_SET = "set";

/** The member of each kind that is a secret. */
export const SECRET_FIELDS = {
  siem_http: "authorization",
  syslog: null,
  object_store: "secret_access_key",
  otlp: "authorization",
  github: "token",
} as const satisfies Readonly<Record<IntegrationKind, string | null>>;

/** Whether rows are sent to integrations of the kind. */
export function sendsRows(kind: IntegrationKind): boolean {
  return kind !== "github";
}
