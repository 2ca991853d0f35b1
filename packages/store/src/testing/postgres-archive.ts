// peers: postgres
import { appendFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findPostgresPrograms } from "@svc/process/find-postgres-programs";
import { runAsOwner } from "@svc/process/postgres-owner";
import type { PostgresServer } from "./postgres-server.ts";

/** A copy of a server and everything that it wrote since, to restore it as of any moment after the copy. */
export interface PostgresArchive {
  /** Puts the server back to what it held when its clock showed this time. Connections end. */
  restoreTo(time: string): Promise<void>;
}

const POLL_MS = 20;

/** Restarts the server, which archives its write-ahead log from then on, and copies it with pg_basebackup. */
export async function archivePostgres(server: PostgresServer): Promise<PostgresArchive> {
  const { directory } = server;
  const data = join(directory, "data");
  const archive = join(directory, "archive");
  const backup = join(directory, "backup");
  runAsOwner("mkdir", [archive]);
  configure(data, [
    "archive_mode = on",
    `archive_command = 'cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f'`,
  ]);
  await server.crash();
  await server.restart();
  const how = ["--checkpoint=fast", "--wal-method=none", "--no-sync"];
  const program = join(findPostgresPrograms() ?? "", "pg_basebackup");
  runAsOwner(program, ["-h", directory, "-U", "svc", ...how, "-D", backup]);
  return {
    restoreTo: async (time) => {
      const last = await server.query("SELECT pg_walfile_name(pg_switch_wal())");
      while (!existsSync(join(archive, last))) await delay(POLL_MS);
      await server.crash();
      rmSync(data, { recursive: true });
      renameSync(backup, data);
      configure(data, [
        `restore_command = 'cp ${archive}/%f %p'`,
        `recovery_target_time = '${time}'`,
        "recovery_target_action = promote",
      ]);
      runAsOwner("touch", [join(data, "recovery.signal")]);
      await server.restart();
    },
  };
}

function configure(data: string, settings: readonly string[]): void {
  appendFileSync(join(data, "postgresql.auto.conf"), settings.map((line) => `${line}\n`).join(""));
}
