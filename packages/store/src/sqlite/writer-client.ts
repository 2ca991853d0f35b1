import { type Remote, remote, type ServiceCall } from "@svc/process/service-call";
import { threadUrl } from "@svc/process/thread-url";
import { WorkerThread } from "@svc/process/worker-thread";
import type { AcknowledgedHead } from "../head-guard.ts";
import type { FileIdentity } from "./file-identity.ts";
import type { SnapshotReader } from "./snapshot-reader.ts";
import type { WriterDone, WriterJob, WriterSettings } from "./writer-protocol.ts";

/** The writer's thread as seen from the serving one. */
export class WriterClient {
  /** Reads a snapshot between the other jobs, page by page, for the start: no commit waits then. */
  readonly snapshot: Remote<SnapshotReader>;
  readonly #thread: WorkerThread<ServiceCall>;
  #acknowledged: AcknowledgedHead | null = null;
  #files: readonly FileIdentity[] | null = null;
  #closing: Promise<void> | null = null;
  readonly #onRows: () => void;

  /** @param onRows called whenever the log has further rows; the first time perhaps for older ones */
  constructor(settings: Omit<WriterSettings, "acknowledged">, onRows: () => void) {
    this.#onRows = onRows;
    this.snapshot = remote(async (call) => {
      if (this.#closing !== null) throw new Error("the store is closed");
      return this.#thread.run(call);
    });
    this.#thread = new WorkerThread({
      name: "svc-store-writer",
      label: "the writer thread",
      url: threadUrl("writer-worker", import.meta.url),
      workerData: (): WriterSettings => ({ ...settings, acknowledged: this.#acknowledged }),
      // The callers have deadlines of their own. A slow commit must not be interrupted.
      stallLimitMs: null,
    });
  }

  /**
   * The files that the writer writes to. After a fault the writer opens them anew first, and this rejects
   * when it cannot.
   */
  async files(): Promise<readonly FileIdentity[]> {
    if (this.#files === null) await this.run({ kind: "open" });
    if (this.#files === null) throw new Error("the writer has named no files");
    return this.#files;
  }

  async run(job: WriterJob): Promise<unknown> {
    if (this.#closing !== null) throw new Error("the store is closed");
    try {
      const done = (await this.#thread.run({ method: "run", args: [job] })) as WriterDone;
      const before = this.#acknowledged?.size ?? 0;
      this.#acknowledged = done.head;
      if ((done.head?.size ?? 0) > before) this.#onRows();
      this.#files = done.files ?? this.#files;
      return done.value;
    } catch (error) {
      this.#files = null;
      throw error;
    }
  }

  /** Finishes what was handed over, then ends the thread. */
  close(): Promise<void> {
    this.#closing ??= this.#thread.finish({ method: "close", args: [] });
    return this.#closing;
  }
}
