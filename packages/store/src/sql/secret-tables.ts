import type { Wording } from "./wording.ts";

export interface DataKeysTable {
  org: string;
  wrapped: string;
}

export interface SecretsTable {
  org: string;
  kind: string;
  id: string;
  sealed: string;
}

/** Ciphertext alone. The key that opens it is not in the database. */
export function secretTables({ text }: Wording): readonly string[] {
  return [
    `CREATE TABLE data_keys (org ${text} PRIMARY KEY, wrapped ${text} NOT NULL)`,
    `CREATE TABLE secrets (
      org ${text} NOT NULL REFERENCES data_keys (org),
      kind ${text} NOT NULL,
      id ${text} NOT NULL,
      sealed ${text} NOT NULL,
      PRIMARY KEY (org, kind, id)
    )`,
  ];
}
