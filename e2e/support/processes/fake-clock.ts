// peers: faketime
import { existsSync, readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "./temporary-directory.ts";

/** A wall clock that a test sets for one process; the monotonic clock stays true. */
export interface FakeClock {
  /** Goes into the environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** Moves the wall clock by an offset from the true time, such as `+24h` or `-1h`. */
  set(offset: string): Promise<void>;
}

/** @throws when the machine has no libfaketime. */
export async function fakeClock(): Promise<FakeClock> {
  const file = join(await temporaryDirectory(), "clock");
  const set = (offset: string): Promise<void> => writeFile(file, `${offset}\n`);
  await set("+0");
  return {
    env: {
      LD_PRELOAD: findLibrary(),
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    set,
  };
}

/** Debian keeps libraries in a folder that names the machine's architecture. */
function findLibrary(): string {
  const candidates = readdirSync("/usr/lib").map((folder) =>
    join("/usr/lib", folder, "faketime", "libfaketimeMT.so.1"),
  );
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found === undefined) throw new Error("libfaketime is not installed");
  return found;
}
