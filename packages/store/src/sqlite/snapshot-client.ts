import { threadUrl } from "@svc/process/thread-url";
import { WorkerThread } from "@svc/process/worker-thread";
import type { ControlSnapshot } from "../ports/control-change.ts";
import { changesOf, type SnapshotPage } from "../sql/snapshot-pages.ts";
import type { FileIdentity } from "./file-identity.ts";
import type { SnapshotJob, SnapshotSettings } from "./snapshot-reader.ts";

const WORKER_URL = threadUrl("snapshot-worker", import.meta.url);

/** Milliseconds without a page after which the thread is stuck. A page takes milliseconds. */
const STALL_LIMIT_MS = 10_000;

/** Milliseconds that closing waits for a thread that does not end. */
const CLOSE_LIMIT_MS = 1_000;

type RunJob = (job: SnapshotJob) => Promise<unknown>;

/**
 * Reads snapshots of control state on a thread of their own, so that no commit waits for one, and no list
 * delays one. The thread ends with its snapshot. The first snapshot is that of the start, when nobody commits
 * yet: the writer's thread reads it, and no other is started.
 */
export class SnapshotClient {
  readonly #settings: SnapshotSettings;
  readonly #running = new Set<WorkerThread<SnapshotJob>>();
  #writer: RunJob | null;
  #closed = false;

  /** @param writer runs the jobs of the first snapshot */
  constructor(settings: SnapshotSettings, writer: RunJob) {
    this.#settings = settings;
    this.#writer = writer;
  }

  /** @param files those that the writer writes to. The read is refused when others stand at their paths. */
  async read(files: readonly FileIdentity[]): Promise<ControlSnapshot> {
    if (this.#closed) throw new Error("the store is closed");
    const writer = this.#writer;
    this.#writer = null;
    if (writer !== null) return readOnWriter(writer, files);
    const thread = this.#newThread();
    this.#running.add(thread);
    try {
      return await readAll((job) => thread.run(job), files);
    } finally {
      this.#running.delete(thread);
      await thread.abandon(CLOSE_LIMIT_MS, "its snapshot is over");
    }
  }

  /** Ends the threads without waiting for snapshots. */
  async close(): Promise<void> {
    this.#closed = true;
    const threads = [...this.#running];
    await Promise.all(threads.map((thread) => thread.abandon(CLOSE_LIMIT_MS, "the store is closed")));
  }

  #newThread(): WorkerThread<SnapshotJob> {
    return new WorkerThread({
      name: "svc-store-snapshot",
      label: "the thread that reads control state",
      url: WORKER_URL,
      workerData: () => this.#settings,
      stallLimitMs: STALL_LIMIT_MS,
    });
  }
}

async function readOnWriter(run: RunJob, files: readonly FileIdentity[]): Promise<ControlSnapshot> {
  try {
    return await readAll(run, files);
  } catch (error) {
    // A transaction that stays open keeps the write-ahead log from being used again.
    await run({ kind: "end" }).catch(() => undefined);
    throw error;
  }
}

async function readAll(run: RunJob, files: readonly FileIdentity[]): Promise<ControlSnapshot> {
  const revision = (await run({ kind: "begin", files })) as number;
  const changes: ControlSnapshot["changes"][number][] = [];
  const ask = async (): Promise<SnapshotPage | null> => (await run({ kind: "page" })) as SnapshotPage | null;
  for (let next = ask(); ; ) {
    const page = await next;
    if (page === null) return { revision, changes };
    // The thread reads the next page while this one is parsed.
    next = ask();
    // It is awaited in the next round, unless this round fails.
    next.catch(() => undefined);
    for (const change of changesOf(page)) changes.push(change);
  }
}
