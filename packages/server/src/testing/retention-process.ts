import { generateSigningKey, parseSigner } from "@svc/audit-log/note-key";
import { signRemoval } from "@svc/audit-log/removal";
import { removeBlock } from "@svc/control-plane/remove-block";
import { openPostgresStore } from "@svc/store/open-postgres-store";
import { openSqliteStore } from "@svc/store/open-sqlite-store";

/**
 * A process that removes rows, for tests of sudden ends:
 * `retention-process.ts sqlite|postgres <directory or url> <log id> <days> <signing key>`.
 * Writes one line per removed block: how many rows went.
 */
const [kind, place = "", logId = "", days, key = generateSigningKey()] = process.argv.slice(2);
const open = { sqlite: openSqliteStore, postgres: openPostgresStore } as const;
const store =
  kind === "postgres"
    ? await open.postgres({ url: place, logId })
    : await open.sqlite({ dataDir: place, logId });
const signer = parseSigner("svc-test", key);
const parts = {
  retention: store.retention,
  signRemoval: (removal: Parameters<typeof signRemoval>[1]) => signRemoval(signer, removal),
  days: Number(days),
};
for (let block = 0; ; block += 1) {
  const outcome = await removeBlock(parts, { logId, block, now: new Date() });
  if (outcome.kind === "young") break;
  if (outcome.kind === "removed") process.stdout.write(`${String(outcome.rows)}\n`);
}
await store.close();
