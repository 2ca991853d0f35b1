import type { AuditReader } from "@svc/store/ports/audit-store";
import type { RowPosition } from "@svc/store/ports/row-position";
import type { IndexDatabase } from "../database/index-database.ts";

/** Where an answer takes its counts from, and the names and examples beside them. */
export interface RowSources {
  readonly database: IndexDatabase;
  readonly audit: Pick<AuditReader["audit"], "row" | "rowsAt">;
  /** The row of an index entry. */
  readonly positionAt: (place: number) => RowPosition;
}
