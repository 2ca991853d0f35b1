import { verifyCheckpoint } from "@svc/audit-log/checkpoint";
import { generateSigningKey, parseSigner } from "@svc/audit-log/note-key";
import { rowHash } from "@svc/audit-log/row-hash";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import type { AuditStore, StoredCheckpoint } from "@svc/store/ports/audit-store";
import { NO_CLAIMS } from "@svc/store/ports/claims";
import type { Store } from "@svc/store/ports/store";
import { MemoryDatabase, type MemoryStore } from "@svc/store/testing/memory-store";
import { describe, expect, it } from "vitest";
import { Checkpointer } from "./checkpointer.ts";

const signer = parseSigner("svc-test", generateSigningKey());

/** A store that holds 99 rows of another log, and three of the log that is signed. */
async function openStore(): Promise<MemoryStore> {
  const database = new MemoryDatabase();
  const other = database.open({ logId: "gw_other" });
  await append(other, 99);
  await other.close();
  const store = database.open({ logId: "gw_test" });
  await append(store, 3);
  return store;
}

async function append({ ledger }: Store, rows: number): Promise<void> {
  await ledger.commit(Array(rows).fill({ row: "{}", claims: NO_CLAIMS }));
}

async function setUp(signedSize = 0) {
  const store = await openStore();
  const filed: StoredCheckpoint[] = [];
  const faults = { count: 0, disk: null as Error | null, store: null as Error | null };
  const log = recordingLogger();
  const audit: AuditStore = {
    ...store.audit,
    appendCheckpoint: async (checkpoint) => {
      if (faults.store !== null) throw faults.store;
      await store.audit.appendCheckpoint(checkpoint);
    },
  };
  const checkpointer = new Checkpointer(
    {
      logId: "gw_test",
      audit,
      signer,
      log,
      appendToFile: async (checkpoint) => {
        if (faults.disk !== null) throw faults.disk;
        filed.push(checkpoint);
      },
      onFailure: () => {
        faults.count += 1;
      },
    },
    signedSize,
  );
  const stored = () => store.audit.checkpoints("gw_test", 0, 10);
  return { checkpointer, store, stored, filed, faults, log };
}

describe("Checkpointer", () => {
  it("signs the head of its own log, once per size, into the file and the store", async () => {
    const { checkpointer, store, stored, filed } = await setUp();
    await checkpointer.sign();
    await checkpointer.sign();
    await append(store, 1);
    await checkpointer.stop();
    expect(filed.map(({ size }) => size)).toEqual([3, 4]);
    expect(await stored()).toEqual(filed);
    const [first] = filed;
    expect(verifyCheckpoint(first?.note ?? "", [signer.verifier])).toMatchObject({
      kind: "valid",
      checkpoint: { logId: "gw_test", size: 3 },
    });
  });

  it("does not sign rows that somebody else appended to its log", async () => {
    const { checkpointer, store, stored } = await setUp();
    const rows = await store.audit.rows("gw_test", 2, 1);
    const [last] = rows;
    if (last === undefined) throw new Error("expected a row");
    const bytes = Buffer.from('{"decision":"allow"}');
    const hash = rowHash(last.hash, bytes);
    const insert = store.connection.prepare(
      "INSERT INTO audit_rows (log_id, seq, prev_hash, hash, bytes) VALUES ('gw_test', 3, ?, ?, ?)",
    );
    insert.run(last.hash, hash, bytes);
    store.connection
      .prepare("UPDATE audit_logs SET size = 4, head_hash = ? WHERE log_id = 'gw_test'")
      .run(hash);
    await checkpointer.sign();
    expect((await stored()).map(({ size }) => size)).toEqual([3]);
  });

  it("signs nothing while the store lacks acknowledged rows", async () => {
    const { checkpointer, store, stored } = await setUp();
    const set = (size: number) => `UPDATE audit_logs SET size = ${String(size)} WHERE log_id = 'gw_test'`;
    store.connection.exec(set(2));
    await checkpointer.sign();
    expect(await stored()).toEqual([]);
    store.connection.exec(set(3));
    await checkpointer.sign();
    expect((await stored()).map(({ size }) => size)).toEqual([3]);
  });

  it("signs nothing again that an earlier run has signed", async () => {
    const { checkpointer, stored } = await setUp(3);
    await checkpointer.sign();
    expect(await stored()).toEqual([]);
  });

  it("counts each failure, logs the first, and signs again once the cause is gone", async () => {
    const { checkpointer, stored, faults, log } = await setUp();
    faults.disk = new Error("disk full");
    await checkpointer.sign();
    await checkpointer.sign();
    expect([faults.count, (await stored()).length]).toEqual([2, 0]);
    faults.disk = null;
    await checkpointer.sign();
    expect(await stored()).toHaveLength(1);
    expect(log.messages).toEqual([
      "a checkpoint of the audit log could not be written",
      "checkpoints of the audit log can be written again",
    ]);
  });

  it("appends a checkpoint to the file once while the store refuses it", async () => {
    const { checkpointer, stored, filed, faults } = await setUp();
    faults.store = new Error("read-only");
    for (let attempt = 0; attempt < 3; attempt += 1) await checkpointer.sign();
    expect([faults.count, filed.length]).toEqual([3, 1]);
    faults.store = null;
    await checkpointer.sign();
    expect([(await stored()).length, filed.length]).toEqual([1, 1]);
  });
});
