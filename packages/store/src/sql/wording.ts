/** What the two databases write differently in a schema. */
export interface Wording {
  readonly blob: string;
  readonly integer: string;
  /** Compared byte for byte: a page of a list must not depend on the server's language. */
  readonly text: string;
}

export const SQLITE: Wording = { blob: "BLOB", integer: "INTEGER", text: "TEXT" };
export const POSTGRES: Wording = { blob: "BYTEA", integer: "BIGINT", text: 'TEXT COLLATE "C"' };
