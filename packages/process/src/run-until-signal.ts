import { printable } from "./printable.ts";

/** Milliseconds that a start may still take after a signal has come. */
const START_GRACE_MS = 3_000;

/** Something that runs until it is closed. */
export interface Running {
  close(): Promise<void>;
}

/**
 * Starts a program and closes it on SIGTERM or SIGINT. It handles signals from its first moment, so
 * a process that prints that it is ready can be stopped cleanly. A signal that comes sooner waits for the
 * start to end, for a while. A terminal and npm may both pass on one Ctrl-C, so a second signal does not end
 * the process before it has closed. A start that fails prints one line, and the exit code is 1.
 */
export async function runUntilSignal(name: string, start: () => Promise<Running>): Promise<void> {
  const signalled = Promise.withResolvers<void>();
  process.on("SIGTERM", () => signalled.resolve());
  process.on("SIGINT", () => signalled.resolve());
  let started = false;
  void signalled.promise.then(() => {
    const giveUp = (): void => (started ? undefined : fail(name, new Error("stopped while it was starting")));
    setTimeout(giveUp, START_GRACE_MS).unref();
  });
  try {
    const running = await start();
    started = true;
    signalled.promise
      .then(() => running.close())
      .catch((error: unknown) => fail(`${name} did not stop cleanly`, error));
  } catch (error) {
    fail(`${name} does not start`, error);
  }
}

function fail(what: string, error: unknown): void {
  // A message may quote a file or an answer, and stderr is often a terminal.
  const why = printable(error instanceof Error ? error.message : String(error));
  process.stderr.write(`${what}: ${why}\n`);
  process.exit(1);
}
