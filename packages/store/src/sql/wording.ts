/** The words of a schema that differ between the two databases. */
export interface Wording {
  readonly blob: string;
  readonly integer: string;
  /** Text compared byte for byte: a page of a list must not depend on the server's locale. */
  readonly text: string;
}

export const SQLITE: Wording = { blob: "BLOB", integer: "INTEGER", text: "TEXT" };
export const POSTGRES: Wording = { blob: "BYTEA", integer: "BIGINT", text: 'TEXT COLLATE "C"' };
