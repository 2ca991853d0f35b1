/**
 * The PostgreSQL that the files of a run of tests share. The first file that needs it starts this program.
 * It ends with the run, however the run ends.
 *
 *   node serve-postgres.ts <folder of the run> <process id of the run>
 */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPostgresPrograms } from "@svc/process/find-postgres-programs";
import { startPostgresServer } from "./postgres-server.ts";
import { READY_FILE, type SharedServer } from "./shared-postgres.ts";

/** Milliseconds between two looks at whether the run goes on. */
const LOOK_MS = 500;

const [folder = "", run = ""] = process.argv.slice(2);

function tell(state: SharedServer): void {
  const file = join(folder, READY_FILE);
  writeFileSync(`${file}.unfinished`, JSON.stringify(state));
  renameSync(`${file}.unfinished`, file);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

try {
  const server = await startPostgresServer({ inMemory: true, settings: ["max_connections = 400"] });
  tell({ directory: server.directory, psql: join(findPostgresPrograms() ?? "", "psql") });
  const look = setInterval(() => {
    if (isAlive(Number(run))) return;
    clearInterval(look);
    void server.stop();
  }, LOOK_MS);
} catch (error) {
  tell({ fault: error instanceof Error ? error.message : String(error) });
}
