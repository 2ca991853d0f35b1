// A lock between processes: a folder, because making one is atomic on every file system.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 100;
/** A holder needs far less than this to write its process id after making the folder. */
const UNOWNED_GRACE_MS = 5_000;

/**
 * Runs `work` while holding the lock at `path`; waits for a holder that lives, takes over from one that died.
 * `onWait` is called once when another process holds the lock.
 */
export async function withLock(path, onWait, work) {
  let told = false;
  while (!tryAcquire(path)) {
    if (isAbandoned(path)) {
      discard(path);
      continue;
    }
    if (!told) onWait();
    told = true;
    await sleep(POLL_MS);
  }
  const release = () => rmSync(path, { recursive: true, force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.removeListener("exit", release);
    release();
  }
}

function tryAcquire(path) {
  try {
    mkdirSync(path);
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
  writeFileSync(join(path, "pid"), String(process.pid));
  return true;
}

/** Moved away first: of several that find the lock abandoned, one removes it and the others find it gone. */
function discard(path) {
  const moved = `${path}-${process.pid}`;
  try {
    renameSync(path, moved);
  } catch {
    return;
  }
  rmSync(moved, { recursive: true, force: true });
}

function isAbandoned(path) {
  try {
    const pid = Number(readFileSync(join(path, "pid"), "utf8"));
    if (pid > 0) return !isAlive(pid);
  } catch {
    // Not written yet, or just released: the age of the folder decides.
  }
  const made = statSync(path, { throwIfNoEntry: false });
  return made !== undefined && Date.now() - made.mtimeMs > UNOWNED_GRACE_MS;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
