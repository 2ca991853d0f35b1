/** Ends a process that started while its database was away, and that cannot run with what it found there. */
export function endProcess(error: unknown): void {
  process.stderr.write(`svc-server cannot run: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
