import { statSync, watch } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { printable } from "@svc/process/printable";
import { CommandFailure, type Outcome } from "./exit-code.ts";
import { errorLine } from "./explain-usage.ts";
import type { Terminal } from "./terminal.ts";

/** Milliseconds in which an editor finishes writing: several events are one change. */
const SETTLE_MS = 100;

/**
 * Runs something, and again after each change of the files, until a signal ends it. What a wrong file throws
 * is said, and the watch goes on.
 */
export async function watchFiles(
  files: readonly string[],
  terminal: Terminal,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const changes = new Changes(files.map((file) => resolve(terminal.workingDirectory, file)));
  const release = terminal.onInterrupt?.(() => changes.end());
  try {
    do {
      await runOnce(run, terminal);
      terminal.writeError(`watching ${files.map(printable).join(", ")}\n`);
    } while (await changes.next());
    return "interrupted";
  } finally {
    changes.end();
    release?.();
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function runOnce(run: () => Promise<Outcome>, { writeError }: Terminal): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    writeError(errorLine(error.message));
  }
}

/** What may be a policy or a file of cases. An editor writes other files beside them. */
const WATCHED = /\.(?:ya?ml|json)$/;

/**
 * Folders are watched and not files: an editor puts a new file into the place of the old one. Of a folder
 * that is named, everything below it counts.
 */
class Changes {
  readonly #watchers;
  #pending = false;
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(paths: readonly string[]) {
    const [named, files] = [paths.filter(isFolder), paths.filter((path) => !isFolder(path))];
    const folders = Map.groupBy(files, (path) => dirname(path));
    this.#watchers = [
      ...[...folders].map(([folder, inside]) => {
        const names = new Set(inside.map((file) => basename(file)));
        return watch(folder, (_, name) => {
          if (name === null || names.has(name)) this.#note();
        });
      }),
      ...named.map((folder) =>
        watch(folder, { recursive: true }, (_, name) => {
          if (name === null || WATCHED.test(name)) this.#note();
        }),
      ),
    ];
  }

  /** Waits for a change. False: the watch has ended. */
  async next(): Promise<boolean> {
    while (!this.#pending && !this.#ended)
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    if (!this.#ended) await delay(SETTLE_MS);
    this.#pending = false;
    return !this.#ended;
  }

  end(): void {
    this.#ended = true;
    for (const watcher of this.#watchers) watcher.close();
    this.#wake();
  }

  #note(): void {
    this.#pending = true;
    this.#wake();
  }
}
