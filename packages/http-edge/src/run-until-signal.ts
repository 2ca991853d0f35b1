/** Something that runs until it is closed. */
export interface Running {
  close(): Promise<void>;
}

/**
 * Starts a program and closes it on SIGTERM or SIGINT. A terminal and npm may both pass one Ctrl-C on, so a second
 * signal does not cut the closing short. What stops the start is told in one line, and the exit code is 1.
 */
export async function runUntilSignal(name: string, start: () => Promise<Running>): Promise<void> {
  try {
    const running = await start();
    let closing = false;
    const stop = (): void => {
      if (closing) return;
      closing = true;
      running.close().catch((error: unknown) => fail(`${name} did not stop cleanly`, error));
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
  } catch (error) {
    fail(`${name} does not start`, error);
  }
}

function fail(what: string, error: unknown): void {
  process.stderr.write(`${what}: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
