import type { Remote } from "@svc/process/service-call";
import { ServiceThread } from "@svc/process/service-thread";
import { threadUrl } from "@svc/process/thread-url";
import type { ControlSnapshot } from "../ports/control-change.ts";
import { changesOf } from "../sql/snapshot-pages.ts";
import type { FileIdentity } from "./file-identity.ts";
import type { SnapshotReader, SnapshotSettings } from "./snapshot-reader.ts";

/** Milliseconds without a page after which the thread is stuck. A page takes milliseconds. */
const STALL_LIMIT_MS = 10_000;

type Reading = Remote<SnapshotReader>;

/**
 * Reads snapshots of control state on a thread of their own, so that no commit waits for one, and no list
 * delays one. The thread ends with its snapshot. The first snapshot is that of the start, when nobody commits
 * yet: the writer's thread reads it, and no other is started.
 */
export class SnapshotClient {
  readonly #settings: SnapshotSettings;
  readonly #running = new Set<ServiceThread<SnapshotReader>>();
  #writer: Reading | null;
  #closed = false;

  /** @param writer reads the first snapshot */
  constructor(settings: SnapshotSettings, writer: Reading) {
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
      return await readAll(thread.calls, files);
    } finally {
      this.#running.delete(thread);
      await thread.close();
    }
  }

  /** Ends the threads without waiting for snapshots. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#running].map((thread) => thread.close()));
  }

  #newThread(): ServiceThread<SnapshotReader> {
    return new ServiceThread({
      name: "svc-store-snapshot",
      label: "the thread that reads control state",
      url: threadUrl("snapshot-worker", import.meta.url),
      workerData: () => this.#settings,
      stallLimitMs: STALL_LIMIT_MS,
      closing: "the store is closed",
    });
  }
}

async function readOnWriter(reading: Reading, files: readonly FileIdentity[]): Promise<ControlSnapshot> {
  try {
    return await readAll(reading, files);
  } catch (error) {
    // A transaction that stays open keeps the write-ahead log from being used again.
    await reading.end().catch(() => undefined);
    throw error;
  }
}

async function readAll(reading: Reading, files: readonly FileIdentity[]): Promise<ControlSnapshot> {
  const revision = await reading.begin(files);
  const changes: ControlSnapshot["changes"][number][] = [];
  for (let next = reading.page(); ; ) {
    const page = await next;
    if (page === null) return { revision, changes };
    // The thread reads the next page while this one is parsed.
    next = reading.page();
    // It is awaited in the next round, unless this round fails.
    next.catch(() => undefined);
    for (const change of changesOf(page)) changes.push(change);
  }
}
