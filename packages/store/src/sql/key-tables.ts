import type { DeploymentKeyName } from "../ports/deployment-key-store.ts";
import { SQLITE, type Wording } from "./wording.ts";

/** Rows of lasting keys are never removed, so that an id is never used again. */
export interface KeysTable {
  id: string;
  org: string;
  /** `managed`: of every origin but `bootstrap`. */
  origin: "bootstrap" | "managed";
  status: "active" | "revoked";
  record: string;
  /** When a key of minutes ends; null for lasting keys. */
  short_until: string | null;
  /** The trust rule that gave it; null in all keys of other origins. */
  trust_rule: string | null;
}

export interface DeploymentKeysTable {
  name: DeploymentKeyName;
  secret: string;
}

/** Keys as the first programs stored them. */
export function keyTables({ blob, text }: Wording): readonly string[] {
  return [
    `CREATE TABLE api_keys (
      id ${text} PRIMARY KEY,
      org ${text} NOT NULL,
      role ${text} NOT NULL,
      secret_sha256 ${blob} NOT NULL,
      created_at ${text} NOT NULL
    )`,
  ];
}

/** Secrets of the deployment. */
export function deploymentKeyTables({ text }: Wording): readonly string[] {
  return [`CREATE TABLE deployment_keys (name ${text} PRIMARY KEY, secret ${text} NOT NULL)`];
}

/** Keys as records. Those that were stored before keep working: each had one secret and no end. */
export function managedKeyTables(wording: Wording): readonly string[] {
  const { text } = wording;
  return [
    `CREATE TABLE keys (
      id ${text} PRIMARY KEY,
      org ${text} NOT NULL,
      origin ${text} NOT NULL CHECK (origin IN ('bootstrap', 'managed')),
      status ${text} NOT NULL CHECK (status IN ('active', 'revoked')),
      record ${text} NOT NULL
    )`,
    "CREATE INDEX keys_of_organization ON keys (org, status)",
    `INSERT INTO keys (id, org, origin, status, record)
      SELECT id, org, origin, 'active', ${recordOf(wording)} FROM api_keys`,
    "DROP TABLE api_keys",
  ];
}

/** Keys of minutes, which would fill the table if they stayed. */
export function shortKeyColumns({ text }: Wording): readonly string[] {
  return [
    `ALTER TABLE keys ADD COLUMN short_until ${text}`,
    "CREATE INDEX keys_short ON keys (short_until) WHERE short_until IS NOT NULL",
  ];
}

/** Lets keys be counted by the trust rule that gave them. */
export function trustRuleColumn({ text }: Wording): readonly string[] {
  return [`ALTER TABLE keys ADD COLUMN trust_rule ${text}`];
}

function recordOf(wording: Wording): string {
  const { object, array, digest } = wording === SQLITE ? SQLITE_JSON : POSTGRES_JSON;
  const secret = `${object}('digest', ${digest}, 'created_at', created_at, 'expires_at', NULL)`;
  const record = `${object}('id', id, 'org', org, 'name', 'bootstrap', 'role', role, 'agents', NULL,
    'namespaces', NULL, 'origin', origin, 'created_at', created_at, 'created_by', 'bootstrap',
    'expires_at', NULL, 'revoked_at', NULL, 'revoked_by', NULL, 'secrets', ${array}(${secret}))`;
  return `CAST(${record} AS TEXT)`;
}

const SQLITE_JSON = { object: "json_object", array: "json_array", digest: "lower(hex(secret_sha256))" };

const POSTGRES_JSON = {
  object: "json_build_object",
  array: "json_build_array",
  digest: "encode(secret_sha256, 'hex')",
};
