import { setTimeout as delay } from "node:timers/promises";
import type { DatabaseLink } from "@svc/store/testing/database-link";
import { type RunningProcess, startProcess } from "../support/processes/child-process.ts";
import { makeTemporaryDirectory } from "../support/processes/temporary-directory.ts";
import { SECRETS_KEY, SERVER_ENTRY } from "../support/server/server-process.ts";

/** Milliseconds between two tries to start a process that ended, as a supervisor waits. */
const START_AGAIN_MS = 200;

const LISTENING = /"msg":"listening"/;

/** One gateway of a run under faults, which a supervisor starts again whenever it ends. */
export class FaultyGateway {
  readonly id: string;
  readonly link: DatabaseLink;
  readonly #directory: { readonly path: string; remove(): Promise<void> };
  /** Every process so far, in order. */
  readonly processes: RunningProcess[] = [];
  #url: string | null = null;

  static async start(id: string, link: DatabaseLink): Promise<FaultyGateway> {
    const gateway = new FaultyGateway(id, link, await makeTemporaryDirectory());
    await gateway.run();
    return gateway;
  }

  private constructor(id: string, link: DatabaseLink, directory: { path: string; remove(): Promise<void> }) {
    this.id = id;
    this.link = link;
    this.#directory = directory;
  }

  /** Null while no process listens. */
  get url(): string | null {
    return this.#url;
  }

  signal(signal: NodeJS.Signals): void {
    this.processes.at(-1)?.signal(signal);
  }

  /** Resolves when the process has ended. `run` starts the next one. */
  async kill(): Promise<void> {
    this.#url = null;
    this.signal("SIGKILL");
    await this.processes.at(-1)?.exited;
  }

  /** Tries until a process listens. */
  async run(): Promise<void> {
    for (;;) {
      try {
        const started = await startProcess(process.execPath, [SERVER_ENTRY], {
          env: this.#environment(),
          ready: { line: LISTENING },
        });
        this.processes.push(started);
        this.#url = addressOf(started.lines);
        return;
      } catch (error) {
        if (!isRefusedForNow(error)) throw error;
        await delay(START_AGAIN_MS);
      }
    }
  }

  async stop(): Promise<void> {
    this.signal("SIGCONT");
    await this.processes.at(-1)?.stop("SIGKILL");
    await this.#directory.remove();
  }

  #environment(): Readonly<Record<string, string>> {
    return {
      SVC_LISTEN: "127.0.0.1:0",
      SVC_AUTH: "off",
      SVC_DATA_DIR: this.#directory.path,
      SVC_DATABASE_URL: this.link.url,
      SVC_SECRETS_KEY: SECRETS_KEY,
      SVC_GATEWAY_ID: this.id,
      SVC_LOG_LEVEL: "debug",
    };
  }
}

/** The database may still take the process before for alive, or be away in the middle of a start. */
function isRefusedForNow(error: unknown): boolean {
  return error instanceof Error && /did not start/.test(error.message);
}

function addressOf(lines: readonly string[]): string | null {
  const line = lines.find((each) => LISTENING.test(each)) ?? "{}";
  return (JSON.parse(line) as { url?: string }).url ?? null;
}
