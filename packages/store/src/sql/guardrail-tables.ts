import type { Wording } from "./wording.ts";

/** `removed` is 1 or 0: a removed id keeps its versions, which rows and versions of policies name. */
export interface GuardrailsTable {
  org: string;
  id: string;
  latest_version: number;
  removed: number;
}

export interface GuardrailVersionsTable {
  org: string;
  id: string;
  version: number;
  record: string;
}

/** Which guardrails the latest version of a policy names. */
export interface GuardrailUsesTable {
  org: string;
  guardrail_id: string;
  policy_id: string;
}

export function guardrailTables({ integer, text }: Wording): readonly string[] {
  return [
    `CREATE TABLE guardrails (
      org ${text} NOT NULL,
      id ${text} NOT NULL,
      latest_version ${integer} NOT NULL,
      removed ${integer} NOT NULL CHECK (removed IN (0, 1)),
      PRIMARY KEY (org, id)
    )`,
    `CREATE TABLE guardrail_versions (
      org ${text} NOT NULL,
      id ${text} NOT NULL,
      version ${integer} NOT NULL CHECK (version >= 1),
      record ${text} NOT NULL,
      PRIMARY KEY (org, id, version),
      FOREIGN KEY (org, id) REFERENCES guardrails (org, id)
    )`,
    `CREATE TABLE guardrail_uses (
      org ${text} NOT NULL,
      guardrail_id ${text} NOT NULL,
      policy_id ${text} NOT NULL,
      PRIMARY KEY (org, guardrail_id, policy_id),
      FOREIGN KEY (org, policy_id) REFERENCES policies (org, id)
    )`,
    `CREATE INDEX guardrail_uses_policy ON guardrail_uses (org, policy_id)`,
    `ALTER TABLE policy_versions ADD COLUMN sealed ${text}`,
  ];
}
