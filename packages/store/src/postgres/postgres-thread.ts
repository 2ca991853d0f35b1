import { callMethod, type ServiceCall } from "@svc/process/service-call";
import type { ControlMark, ControlMarkKeeper } from "../control-head-guard.ts";
import { type OpenedPostgres, openPostgresHere } from "./open-postgres-here.ts";
import { renderFault } from "./postgres-fault.ts";
import type { PostgresDone, PostgresThreadData } from "./postgres-protocol.ts";
import { PrimaryServer } from "./primary-server.ts";

/**
 * Runs the calls of the serving thread on the connections of this one. Calls begin when they arrive; batches
 * of rows go one by one.
 */
export class PostgresThread {
  readonly #data: PostgresThreadData;
  #mark: ControlMark | null;
  #opened: OpenedPostgres | null = null;

  constructor(data: PostgresThreadData) {
    this.#data = data;
    this.#mark = data.mark;
  }

  /** The reply says why a call failed. @throws what closing fails with: nothing is replied after it */
  async run(call: ServiceCall): Promise<PostgresDone> {
    if (call.method === "close") return this.#done(await this.#opened?.close());
    try {
      this.#opened ??= this.#open();
      return this.#done(await callMethod(this.#opened, call));
    } catch (error) {
      return { ...this.#done(null), fault: renderFault(error) };
    }
  }

  #done(value: unknown): PostgresDone {
    return { value, fault: null, head: this.#opened?.head.acknowledged ?? null, mark: this.#mark };
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
}
