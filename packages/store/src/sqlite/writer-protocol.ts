import type { AcknowledgedHead } from "../head-guard.ts";
import type { LedgerEntry } from "../ports/ledger.ts";
import type { SqlStores } from "../sql/sql-stores.ts";
import type { StoreLimits } from "../sql/store-context.ts";

/** Messages between the serving thread and the writer's. One request, one reply. */

export interface WriterSettings {
  readonly dataDir: string;
  readonly logId: string;
  readonly limits: StoreLimits;
  /** Null at the start of the process: only then may a database be created. */
  readonly acknowledged: AcknowledgedHead | null;
}

export type WriterJob =
  | { readonly kind: "open" }
  | { readonly kind: "commit"; readonly entries: readonly LedgerEntry[] }
  | {
      readonly kind: "call";
      readonly store: keyof SqlStores;
      readonly method: string;
      readonly args: readonly unknown[];
    }
  | { readonly kind: "close" };

export interface WriterRequest {
  readonly id: number;
  readonly job: WriterJob;
}

export type WriterReply =
  | {
      readonly id: number;
      readonly ok: true;
      readonly value: unknown;
      readonly head: AcknowledgedHead | null;
    }
  | { readonly id: number; readonly ok: false; readonly message: string };
