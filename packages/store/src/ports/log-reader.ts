import type { SeqRange } from "@svc/audit-log/removal";
import type { AuditStore } from "./audit-store.ts";
import type { StoredRemoval } from "./stored-removal.ts";

/** The logs of a store that this process does not serve from. Nothing of it can write. */
export interface LogReader extends Pick<AuditStore, "heads" | "rows" | "checkpoints"> {
  /** The statements whose first row is in the range, by their first rows. */
  removals(logId: string, range: SeqRange): Promise<readonly StoredRemoval[]>;
  /** Public keys as text, as `AuditStore` has them; none in a store of an earlier program. */
  verifierKeys(): Promise<readonly string[]>;
  close(): Promise<void>;
}
