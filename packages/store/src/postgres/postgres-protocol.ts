import type { ControlMark } from "../control-head-guard.ts";
import type { AcknowledgedHead } from "../head-guard.ts";
import type { LedgerEntry } from "../ports/ledger.ts";
import type { StoreLimits } from "../sql/store-context.ts";
import type { StoreCall } from "../threads/call-store.ts";
import type { PostgresFault } from "./postgres-fault.ts";
import type { Ownership } from "./writer-session.ts";

/** Jobs of the serving thread for the one that has the connections to PostgreSQL. */

export interface PostgresSettings {
  readonly url: string;
  readonly logId: string;
  readonly limits: StoreLimits;
  readonly ownership: Ownership;
}

/** What the process knows when the thread starts, so that a thread that replaces another knows it as well. */
export interface PostgresThreadData extends PostgresSettings {
  /** Null at the start of the process. */
  readonly acknowledged: AcknowledgedHead | null;
  readonly mark: ControlMark | null;
  /** As of the keeper of marks; null when nothing keeps them. */
  readonly howToForget: string | null;
}

export type PostgresJob =
  | { readonly kind: "epoch" }
  | { readonly kind: "commit"; readonly entries: readonly LedgerEntry[] }
  | (StoreCall & { readonly kind: "call" })
  | { readonly kind: "check" }
  | { readonly kind: "size" }
  | { readonly kind: "close" };

/** The thread's reply to a job. */
export interface PostgresDone {
  readonly value: unknown;
  /** Null: the job did what it was to do. */
  readonly fault: PostgresFault | null;
  /** Where the log ends, as far as the thread knows. */
  readonly head: AcknowledgedHead | null;
  /** The newest control change that the thread knows. */
  readonly mark: ControlMark | null;
}
