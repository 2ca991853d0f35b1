import { NO_CLAIMS } from "../ports/claims.ts";
import type { Store } from "../ports/store.ts";
import { openSqliteStore } from "../sqlite/open-sqlite-store.ts";
import { openPostgresInThread } from "./open-postgres-in-thread.ts";

/**
 * A process that appends, for tests of many and of sudden ends:
 * `append-process.ts sqlite|shared-postgres <directory or url> <log id> <batches> <rows per batch>`.
 * Writes `open` once, then one line per acknowledged row: its sequence number.
 */
const [kind, place, logId, batches, rowsPerBatch] = process.argv.slice(2);
if (place === undefined || logId === undefined)
  throw new Error("expected: kind, place, log id, batches, rows");

async function open(where: { readonly place: string; readonly logId: string }): Promise<Store> {
  if (kind === "sqlite") return openSqliteStore({ dataDir: where.place, logId: where.logId });
  return openPostgresInThread({ url: where.place, logId: where.logId, ownership: "shared" });
}

const store = await open({ place, logId });
process.stdout.write("open\n");
for (let batch = 0; batch < Number(batches); batch += 1) {
  const rows = Array.from({ length: Number(rowsPerBatch) }, (_, n) => ({
    row: JSON.stringify({ process: process.pid, batch, n }),
    claims: NO_CLAIMS,
  }));
  for (const outcome of await store.ledger.commit(rows)) {
    if (outcome.kind === "committed") process.stdout.write(`${String(outcome.position.seq)}\n`);
  }
}
await store.close();
