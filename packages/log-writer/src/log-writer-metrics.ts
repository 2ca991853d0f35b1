import { Counter, Histogram, type Registry } from "prom-client";

/** Seconds; from a fast disk to the deadline of an audit row. */
const DURATION_BUCKETS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Rows per commit. */
const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Metrics of the log writer. Their names are public: they do not change within a major version. */
export class LogWriterMetrics {
  readonly #commitDuration: Histogram;
  readonly #commitRows: Histogram;
  readonly lateCommits: Counter;
  readonly checkpointFailures: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#commitDuration = new Histogram({
      name: "svc_ledger_commit_duration_seconds",
      help: "Time of one ledger transaction",
      buckets: DURATION_BUCKETS_S,
      registers,
    });
    this.#commitRows = new Histogram({
      name: "svc_ledger_commit_rows",
      help: "Rows made durable by one ledger transaction",
      buckets: BATCH_BUCKETS,
      registers,
    });
    this.lateCommits = new Counter({
      name: "svc_ledger_late_commits_total",
      help: "Rows durable after their call was denied",
      registers,
    });
    this.checkpointFailures = new Counter({
      name: "svc_checkpoint_failures_total",
      help: "Checkpoints that were not written",
      registers,
    });
  }

  committed(batch: { readonly rows: number; readonly durationMs: number }): void {
    this.#commitRows.observe(batch.rows);
    this.#commitDuration.observe(batch.durationMs / 1_000);
  }
}
