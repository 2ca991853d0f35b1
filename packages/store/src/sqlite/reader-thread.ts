import { ServiceThread, type ThreadOverrides } from "@svc/process/service-thread";
import { threadUrl } from "@svc/process/thread-url";
import type { Reader, ReaderSettings } from "./reader.ts";

/**
 * Milliseconds without a reply after which the thread is stuck. The longest page takes less than a second of
 * one core, and its priority is low.
 */
const STALL_LIMIT_MS = 30_000;

/** Reads that may wait for the thread, as count: each is a page of a list, read in milliseconds. */
const MAX_WAITING = 256;

/**
 * The thread of reads. It starts with the first read, and ends when minutes have passed without a read.
 * Closing does not wait for reads, because nothing depends on them.
 */
export class ReaderThread extends ServiceThread<Reader> {
  constructor({ dataDir, ...overrides }: ReaderSettings & ThreadOverrides) {
    super({
      name: "svc-store-reader",
      label: "the reader thread",
      url: threadUrl("reader-worker", import.meta.url),
      workerData: (): ReaderSettings => ({ dataDir }),
      stallLimitMs: STALL_LIMIT_MS,
      closing: "the store is closed",
      maxWaiting: {
        most: MAX_WAITING,
        refusal: `expected at most ${String(MAX_WAITING)} reads to wait; try again later`,
      },
      ...overrides,
    });
  }
}
