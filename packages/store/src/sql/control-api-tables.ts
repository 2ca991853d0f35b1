import type { Wording } from "./wording.ts";

/** Nobody created the namespace `default`: its row, if there is one, has nulls. */
export interface NamespacesTable {
  org: string;
  id: string;
  name: string;
  description: string | null;
  created_at: string | null;
  created_by: string | null;
  updated_at: string;
}

/** `settings` is JSON text. A namespace without a row has the defaults. */
export interface RogueDetectionSettingsTable {
  org: string;
  namespace_id: string;
  settings: string;
  updated_at: string;
  updated_by: string;
}

/** `status`, `headers` (JSON text) and `body` are those of the answer; null while the request has none. */
export interface RequestKeysTable {
  org: string;
  principal: string;
  key_digest: string;
  operation: string;
  request_digest: string;
  attempt: string;
  started_at_ms: number;
  expires_at_ms: number;
  status: number | null;
  headers: string | null;
  body: Uint8Array | null;
}

/** Namespaces with their settings, and the keys under which control requests are remembered. */
export function controlApiTables(wording: Wording): readonly string[] {
  return [...namespaceTables(wording), ...requestKeyTables(wording), ASSIGNMENTS_BY_POLICY];
}

/** Lists of assignments may name the policy. */
const ASSIGNMENTS_BY_POLICY =
  "CREATE INDEX policy_assignments_policy ON policy_assignments (org, policy_id, id)";

/** No table refers to `namespaces`: calls, assignments and switches may name a namespace that has no row. */
function namespaceTables({ text }: Wording): readonly string[] {
  return [
    `CREATE TABLE namespaces (
      org ${text} NOT NULL,
      id ${text} NOT NULL,
      name ${text} NOT NULL,
      description ${text},
      created_at ${text},
      created_by ${text},
      updated_at ${text} NOT NULL,
      PRIMARY KEY (org, id)
    )`,
    `CREATE TABLE rogue_detection_settings (
      org ${text} NOT NULL,
      namespace_id ${text} NOT NULL,
      settings ${text} NOT NULL,
      updated_at ${text} NOT NULL,
      updated_by ${text} NOT NULL,
      PRIMARY KEY (org, namespace_id)
    )`,
  ];
}

function requestKeyTables({ blob, integer, text }: Wording): readonly string[] {
  return [
    `CREATE TABLE request_keys (
      org ${text} NOT NULL,
      principal ${text} NOT NULL,
      key_digest ${text} NOT NULL,
      operation ${text} NOT NULL,
      request_digest ${text} NOT NULL,
      attempt ${text} NOT NULL,
      started_at_ms ${integer} NOT NULL,
      expires_at_ms ${integer} NOT NULL,
      status ${integer},
      headers ${text},
      body ${blob},
      PRIMARY KEY (org, principal, key_digest),
      CHECK ((status IS NULL) = (headers IS NULL))
    )`,
    "CREATE INDEX request_keys_expiry ON request_keys (expires_at_ms)",
  ];
}
