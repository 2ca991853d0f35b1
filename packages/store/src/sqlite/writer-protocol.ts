import type { AcknowledgedHead } from "../head-guard.ts";
import type { StoreLimits } from "../sql/store-context.ts";
import type { StoreCall } from "../threads/call-store.ts";
import type { FileIdentity } from "./file-identity.ts";
import type { FlatBatch } from "./flat-batch.ts";

/** Jobs of the serving thread for the writer's. */

export interface WriterSettings {
  readonly dataDir: string;
  readonly logId: string;
  readonly limits: StoreLimits;
  /** Null at the start of the process: only then may a database be created. */
  readonly acknowledged: AcknowledgedHead | null;
}

export type WriterJob =
  | { readonly kind: "open" }
  | { readonly kind: "commit"; readonly batch: FlatBatch }
  | (StoreCall & { readonly kind: "call" })
  | { readonly kind: "close" };

/** The thread's reply to a job: its result, and where the log ends after it. */
export interface WriterDone {
  readonly value: unknown;
  readonly head: AcknowledgedHead | null;
  /** The files that the thread writes to; null while they are those that it named last. */
  readonly files: readonly FileIdentity[] | null;
}
