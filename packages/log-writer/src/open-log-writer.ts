import type { CheckpointSigner } from "@svc/audit-log/checkpoint";
import type { MonotonicClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { StoredCheckpoint } from "@svc/store/ports/audit-store";
import type { Store } from "@svc/store/ports/store";
import type { Registry } from "prom-client";
import { Checkpointer } from "./checkpointer.ts";
import { type LedgerOutage, LedgerQueue } from "./ledger-queue.ts";
import { LogWriterMetrics } from "./log-writer-metrics.ts";

export interface LogWriterOptions {
  readonly store: Pick<Store, "logId" | "ledger" | "audit">;
  readonly signer: CheckpointSigner;
  /** Appends to the checkpoint file beside the store. */
  readonly appendCheckpoint: (checkpoint: StoredCheckpoint) => Promise<void>;
  /** Size of the last checkpoint of this log that is already in the store; 0 for none. */
  readonly signedSize: number;
  readonly clock: MonotonicClock;
  readonly log: Pick<Logger, "error" | "info">;
  readonly outage: LedgerOutage;
  readonly registry: Registry;
}

type RowsOfCalls = "append" | "enqueue" | "isStalled" | "isCommitting" | "countSkippedRow";

/** The writing side of one log: rows in group commits, and signed checkpoints. One per process. */
export interface LogWriter {
  readonly queue: Pick<LedgerQueue, RowsOfCalls | "drain">;
  /** Signs the log as it stands, unless a checkpoint covers it already. Never rejects. */
  checkpoint(): Promise<void>;
  /** Waits for the rows that were handed over, and signs a last checkpoint. */
  close(): Promise<void>;
}

/** Begins to sign checkpoints of the log while rows arrive, also when another part appends them. */
export function openLogWriter(options: LogWriterOptions): LogWriter {
  const { store, signer, appendCheckpoint: appendToFile, signedSize, clock, log, outage } = options;
  const metrics = new LogWriterMetrics(options.registry);
  const queue = new LedgerQueue({
    ledger: store.ledger,
    clock,
    log,
    outage,
    onCommit: (batch) => metrics.committed(batch),
    onLateCommit: () => metrics.lateCommits.inc(),
  });
  const onFailure = (): void => metrics.checkpointFailures.inc();
  const checkpointer = new Checkpointer(
    { logId: store.logId, audit: store.audit, signer, appendToFile, log, onFailure },
    signedSize,
  );
  checkpointer.start();
  return {
    queue,
    checkpoint: () => checkpointer.sign(),
    close: async () => {
      await queue.drain();
      await checkpointer.stop();
    },
  };
}
