// long: it opens a store again for each damage
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { signCheckpoint } from "@svc/audit-log/checkpoint";
import { generateSigningKey, parseSigner } from "@svc/audit-log/note-key";
import { NO_CLAIMS } from "@svc/store/ports/claims";
import type { Store } from "@svc/store/ports/store";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type DataDirectory, openDataDirectory } from "../files/data-directory.ts";
import { readSettings } from "../settings/settings.ts";
import { openStore } from "./open-store.ts";

const signer = parseSigner("svc-test", generateSigningKey());

let path: string;

async function openBoth(): Promise<{ store: Store; directory: DataDirectory }> {
  const directory = await openDataDirectory({ path, gatewayId: "gw", onDamage: () => expect.unreachable() });
  const store = await openStore(readSettings({ SVC_DATA_DIR: path }), directory);
  return { store, directory };
}

/** Writes rows and signs the head, into the store and, by default, into the file. */
async function history(rows: number, into: "both" | "store"): Promise<void> {
  const { store, directory } = await openBoth();
  await store.ledger.commit(
    Array.from({ length: rows }, (_, at) => ({ row: `{"n":${at}}`, claims: NO_CLAIMS })),
  );
  const [head] = await store.audit.heads();
  if (head === undefined) throw new Error("no head");
  const checkpoint = { logId: "gw", size: head.size, note: signCheckpoint(signer, head) };
  await store.audit.appendCheckpoint(checkpoint);
  if (into === "both") await directory.appendCheckpoint(checkpoint);
  await store.close();
}

/** Cuts the log in the database back to its first two rows, as anyone who can write the file could. */
function cut(): void {
  const database = new DatabaseSync(join(path, "svc.db"));
  const triggers = database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all();
  for (const { name } of triggers) database.exec(`DROP TRIGGER "${String(name)}"`);
  database.exec("DELETE FROM audit_rows WHERE seq > 1");
  database.exec("UPDATE audit_logs SET size = 2, head_hash = (SELECT hash FROM audit_rows WHERE seq = 1)");
  database.close();
}

beforeEach(async () => {
  const parent = await mkdtemp(join(tmpdir(), "svc-open-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  path = join(parent, "data");
});

describe("openStore", () => {
  it("goes on where a log ended", async () => {
    await history(5, "both");
    const { store } = await openBoth();
    expect(await store.audit.heads()).toMatchObject([{ logId: "gw", size: 5 }]);
    await store.close();
  });

  it.each([
    { name: "the file and the store hold the checkpoint", spoil: async () => undefined },
    { name: "only the store holds the checkpoint", spoil: () => rm(join(path, "checkpoints.ndjson")) },
  ])("L2: refuses a log that was cut off, when $name", async ({ spoil }) => {
    await history(5, "both");
    cut();
    await spoil();
    await expect(openBoth()).rejects.toThrow("has lost rows: the store holds 2");
  });

  it("L2: also refuses it when the file only holds an earlier checkpoint", async () => {
    await history(2, "both");
    await history(3, "store");
    cut();
    await expect(openBoth()).rejects.toThrow("has lost rows: the store holds 2");
  });

  it("names what cannot be opened", async () => {
    const { store } = await openBoth();
    await expect(openBoth()).rejects.toThrow(`the store in ${path} cannot be opened`);
    await store.close();
  });
});
