import type { PolicyMediaType } from "@svc/contract/policy";
import type { GovernanceMode } from "@svc/contract/verdict";
import type { Wording } from "./wording.ts";

/**
 * `enabled` and `archived` are 1 or 0, `labels` is JSON. `mode` and `search_text` repeat what the latest
 * version and the labels say, for lists.
 */
export interface PoliciesTable {
  org: string;
  id: string;
  latest_version: number;
  enabled: number;
  archived: number;
  labels: string;
  mode: GovernanceMode;
  search_text: string;
}

export interface PolicyVersionsTable {
  org: string;
  id: string;
  version: number;
  record: string;
  source: string;
  media_type: PolicyMediaType;
  /** The record without its document, as JSON; null in rows of earlier builds. */
  item: string | null;
  /** The document with its guardrails in it, as JSON; null: it names none. */
  sealed: string | null;
}

/** `origin` tells bindings that a document asked for from those that an operator made. */
export interface PolicyAssignmentsTable {
  org: string;
  id: string;
  policy_id: string;
  agent_id: string | null;
  namespace_id: string | null;
  origin: "document" | "operator";
  created_at: string;
  created_by: string;
}

/** Policies, their versions and what they are bound to. */
export function policyTables({ integer, text }: Wording): readonly string[] {
  return [
    `CREATE TABLE policies (
      org ${text} NOT NULL,
      id ${text} NOT NULL,
      latest_version ${integer} NOT NULL,
      PRIMARY KEY (org, id)
    )`,
    `CREATE TABLE policy_versions (
      org ${text} NOT NULL,
      id ${text} NOT NULL,
      version ${integer} NOT NULL CHECK (version >= 1),
      record ${text} NOT NULL,
      source ${text} NOT NULL,
      media_type ${text} NOT NULL,
      PRIMARY KEY (org, id, version),
      FOREIGN KEY (org, id) REFERENCES policies (org, id)
    )`,
    `CREATE TABLE policy_assignments (
      org ${text} NOT NULL,
      id ${text} NOT NULL,
      policy_id ${text} NOT NULL,
      agent_id ${text},
      namespace_id ${text},
      origin ${text} NOT NULL CHECK (origin IN ('document', 'operator')),
      created_at ${text} NOT NULL,
      created_by ${text} NOT NULL,
      PRIMARY KEY (org, id),
      FOREIGN KEY (org, policy_id) REFERENCES policies (org, id),
      CHECK ((agent_id IS NULL) <> (namespace_id IS NULL))
    )`,
    `CREATE UNIQUE INDEX policy_assignments_agent ON policy_assignments (org, agent_id)
      WHERE agent_id IS NOT NULL`,
    `CREATE UNIQUE INDEX policy_assignments_namespace ON policy_assignments (org, namespace_id)
      WHERE namespace_id IS NOT NULL`,
  ];
}

/** State and labels of policies. */
export function policyStateColumns({ integer, text }: Wording): readonly string[] {
  const column = (declaration: string): string => `ALTER TABLE policies ADD COLUMN ${declaration}`;
  return [
    column(`enabled ${integer} NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1))`),
    column(`archived ${integer} NOT NULL DEFAULT 0 CHECK (archived IN (0, 1))`),
    column(`labels ${text} NOT NULL DEFAULT '{}'`),
    column(`mode ${text} NOT NULL DEFAULT 'enforcement'`),
    column(`search_text ${text} NOT NULL DEFAULT ''`),
    `ALTER TABLE policy_versions ADD COLUMN item ${text}`,
  ];
}
