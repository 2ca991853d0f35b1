import type { ControlMark, ControlMarkKeeper } from "../control-head-guard.ts";
import { callStore } from "../threads/call-store.ts";
import { type OpenedPostgres, openPostgresHere } from "./open-postgres-here.ts";
import { renderFault } from "./postgres-fault.ts";
import type { PostgresDone, PostgresJob, PostgresThreadData } from "./postgres-protocol.ts";
import { PrimaryServer } from "./primary-server.ts";

/**
 * Runs the jobs of the serving thread on the connections of this one. Jobs begin when they arrive; batches of
 * rows go one by one.
 */
export class PostgresThread {
  readonly #data: PostgresThreadData;
  #mark: ControlMark | null;
  #opened: OpenedPostgres | null = null;

  constructor(data: PostgresThreadData) {
    this.#data = data;
    this.#mark = data.mark;
  }

  /** The reply says why a job failed. @throws what closing fails with: nothing is replied after it */
  async run(job: PostgresJob): Promise<PostgresDone> {
    if (job.kind === "close") return this.#done(await this.#close());
    try {
      return this.#done(await this.#run(job));
    } catch (error) {
      return { ...this.#done(null), fault: renderFault(error) };
    }
  }

  #done(value: unknown): PostgresDone {
    return { value, fault: null, head: this.#opened?.head.acknowledged ?? null, mark: this.#mark };
  }

  async #run(job: Exclude<PostgresJob, { kind: "close" }>): Promise<unknown> {
    this.#opened ??= this.#open();
    const opened = this.#opened;
    switch (job.kind) {
      case "epoch":
        return opened.epoch();
      case "commit":
        return opened.commit(job.entries);
      case "call":
        return callStore(opened.stores, job);
      case "check":
        return opened.check();
      case "size":
        return opened.sizeBytes();
      default:
        throw new Error(`unknown job ${JSON.stringify(job satisfies never)}`);
    }
  }

  #open(): OpenedPostgres {
    const { url, logId, limits, ownership, acknowledged, howToForget } = this.#data;
    const controlMarks: ControlMarkKeeper = {
      known: this.#mark,
      howToForget,
      keep: (mark) => {
        this.#mark = mark;
      },
    };
    const server = new PrimaryServer(url);
    return openPostgresHere({ server, logId, limits, ownership, acknowledged, controlMarks });
  }

  async #close(): Promise<null> {
    await this.#opened?.close();
    return null;
  }
}
