import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LogTail } from "@svc/log-tail/log-tail";
import { openPostgresStore } from "@svc/store/open-postgres-store";
import { openSqliteStore } from "@svc/store/open-sqlite-store";
import type { LogPositions } from "@svc/store/ports/event-rows";

/**
 * A process that follows the logs of a store until it has seen so many rows, for tests of sudden ends:
 * `log-tail-process.ts sqlite|postgres <directory or url> <log id> <folder> <rows> <batches>`.
 * It keeps `seen.txt`, a line for each row, and `cursor.json` in the folder. After so many batches it kills
 * itself between the work and the move of the cursor.
 */
const [kind, place = "", logId = "", folder = "", rows, batches] = process.argv.slice(2);

/** Rows of one batch, as count. */
const BATCH = 7;

const store =
  kind === "postgres"
    ? await openPostgresStore({ url: place, logId })
    : await openSqliteStore({ dataDir: place, logId });
const seenFile = join(folder, "seen.txt");
const cursorFile = join(folder, "cursor.json");
const positions = (): LogPositions =>
  new Map(JSON.parse(readFileSync(cursorFile, "utf8")) as [string, number][]);
let left = Number(batches);
const tail = new LogTail({
  cursor: {
    positions,
    move: (to) => {
      left -= 1;
      if (left === 0) process.kill(process.pid, "SIGKILL");
      writeFileSync(cursorFile, JSON.stringify([...positions(), ...to]));
    },
  },
  read: async (from) => store.audit.eventRows({ from, limit: BATCH, maxBytes: 1_000_000 }),
  work: ({ events }) =>
    appendFileSync(seenFile, events.map((row) => `${row.logId}.${String(row.seq)}\n`).join("")),
});
const { signal } = new AbortController();
const rowsSeen = (): number => [...positions().values()].reduce((sum, next) => sum + next, 0);
while (rowsSeen() < Number(rows)) await tail.step(signal);
await store.close();
