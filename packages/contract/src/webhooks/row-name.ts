import type { AuditRow } from "../audit/audit-row.ts";

/** Names a kind of row together with its action, if it has one: `kill_switch.activated`, `decision`. */
export type RowName<Row extends AuditRow = AuditRow> = Row extends { readonly action: infer Action }
  ? `${Row["kind"]}.${Action & string}`
  : Row["kind"];

/** The rows that have such a name. */
export type RowNamed<Name extends RowName> = Name extends `${infer Kind}.${infer Action}`
  ? Extract<AuditRow, { readonly kind: Kind }> & { readonly action: Action }
  : Extract<AuditRow, { readonly kind: Name }>;

export function rowName(row: AuditRow): RowName {
  return ("action" in row ? `${row.kind}.${row.action}` : row.kind) as RowName;
}
