import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { CommandFailure } from "./exit-code.ts";
import { readFault } from "./files.ts";

/** Milliseconds after which a lock is that of a killed process: who holds it needs a few. */
const STALE_MS = 10_000;

/** Milliseconds to wait for a lock: longer than a killed process can block it. */
const PATIENCE_MS = 15_000;

/** Milliseconds between two tries, on average. */
const RETRY_MS = 20;

/** Bytes of randomness that tell one holder from another. */
const TOKEN_BYTES = 8;

/**
 * Runs `change` while no other process does so for the same file. The lock is a file beside it.
 * @throws CommandFailure `usage` when the lock cannot be had
 */
export async function withLock<Value>(path: string, change: () => Value): Promise<Value> {
  const lock = `${path}.lock`;
  const token = randomBytes(TOKEN_BYTES).toString("hex");
  const end = performance.now() + PATIENCE_MS;
  while (!isTaken(lock, token)) {
    removeStale(lock);
    if (performance.now() > end)
      throw new CommandFailure("usage", `${path}: another svc-cli changes it all the time. Try again later.`);
    await delay(RETRY_MS * (0.5 + Math.random()));
  }
  try {
    return change();
  } finally {
    // A process that was stopped for long has lost the lock to another one.
    if (tokenIn(lock) === token) rmSync(lock, { force: true });
  }
}

function isTaken(lock: string, token: string): boolean {
  try {
    writeFileSync(lock, token, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (isError(error, "EEXIST")) return false;
    throw new CommandFailure("usage", `${lock} cannot be written: ${readFault(error)}`, error);
  }
}

/** What is moved away can be the new lock of a process that was faster. It is then put back. */
function removeStale(lock: string): void {
  if (!isStale(lock)) return;
  const moved = `${lock}.${randomBytes(TOKEN_BYTES).toString("hex")}`;
  try {
    renameSync(lock, moved);
    if (!isStale(moved)) linkSync(moved, lock);
  } catch (error) {
    if (!isError(error, "ENOENT")) throw error;
  } finally {
    rmSync(moved, { force: true });
  }
}

function isStale(path: string): boolean {
  const modifiedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  return modifiedMs !== undefined && Date.now() - modifiedMs > STALE_MS;
}

function tokenIn(lock: string): string | null {
  try {
    return readFileSync(lock, "utf8");
  } catch (error) {
    if (isError(error, "ENOENT")) return null;
    throw error;
  }
}

function isError(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
