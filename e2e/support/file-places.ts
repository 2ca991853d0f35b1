import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runs } from "@svc/text/testing/runs";

const POLL_MS = 50;

/** Milliseconds after which a file runs without a place: a run that fails must still end. */
const MAX_WAIT_MS = runs(600_000, 12 * 3_600_000);

/**
 * Waits for one of the places of files that keep a processor busy, which all processes of a run share.
 * @param folder of the run
 * @returns gives the place back
 */
export async function takePlace(
  folder: string,
  places: number,
  maxWaitMs = MAX_WAIT_MS,
): Promise<() => void> {
  mkdirSync(folder, { recursive: true });
  const paths = Array.from({ length: places }, (_, at) => join(folder, `place-${String(at)}`));
  leavePlaces(folder, (owner) => owner === process.pid);
  const deadline = performance.now() + maxWaitMs;
  while (performance.now() < deadline) {
    const free = paths.find(tryTake);
    if (free !== undefined) return () => rmSync(free, { force: true });
    leavePlaces(folder, (owner) => !isAlive(owner));
    await delay(POLL_MS);
  }
  return () => undefined;
}

function tryTake(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (isFault(error, "EEXIST")) return false;
    throw error;
  }
}

/** A file that could not be loaded, or whose process ended, left its place behind. */
function leavePlaces(folder: string, isOver: (owner: number) => boolean): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const owner = ownerOf(path);
    if (owner !== null && isOver(owner)) rmSync(path, { force: true });
  }
}

/** Null: it is just being taken or given back. */
function ownerOf(path: string): number | null {
  try {
    return Number(readFileSync(path, "utf8")) || null;
  } catch (error) {
    if (isFault(error, "ENOENT")) return null;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isFault(error, "EPERM");
  }
}

function isFault(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
