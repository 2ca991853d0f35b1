import { verifyCheckpoint } from "@svc/audit-log/checkpoint";
import { generateSigningKey, parseSigner } from "@svc/audit-log/note-key";
import type { AuditStore, StoredCheckpoint } from "@svc/store/ports/audit-store";
import { describe, expect, it } from "vitest";
import { Checkpointer } from "./checkpointer.ts";
import { recordingLogger } from "@svc/process/testing/recording-logger";

const signer = parseSigner("svc-test", generateSigningKey());

function setUp(signedSize = 0) {
  const stored: StoredCheckpoint[] = [];
  const filed: StoredCheckpoint[] = [];
  const head = { logId: "gw_test", size: 3, hash: new Uint8Array(32).fill(7) };
  const store = { fault: null as Error | null };
  const audit = {
    heads: async () => [{ ...head, logId: "gw_other", size: 99 }, head],
    appendCheckpoint: async (checkpoint: StoredCheckpoint) => {
      if (store.fault !== null) throw store.fault;
      stored.push(checkpoint);
    },
  } as unknown as AuditStore;
  const log = recordingLogger();
  const failures = { count: 0, disk: null as Error | null };
  const checkpointer = new Checkpointer(
    {
      logId: "gw_test",
      audit,
      signer,
      log,
      appendToFile: async (checkpoint) => {
        if (failures.disk !== null) throw failures.disk;
        filed.push(checkpoint);
      },
      onFailure: () => {
        failures.count += 1;
      },
    },
    signedSize,
  );
  return { checkpointer, store, stored, filed, head, failures, log };
}

describe("Checkpointer", () => {
  it("signs the head of its own log, once per size, into the file and the store", async () => {
    const { checkpointer, stored, filed, head } = setUp();
    await checkpointer.sign();
    await checkpointer.sign();
    head.size = 4;
    await checkpointer.stop();
    expect(stored.map(({ size }) => size)).toEqual([3, 4]);
    expect(filed).toEqual(stored);
    const [first] = stored;
    expect(verifyCheckpoint(first?.note ?? "", [signer.verifier])).toMatchObject({
      kind: "valid",
      checkpoint: { logId: "gw_test", size: 3 },
    });
  });

  it("signs nothing again that an earlier run has signed", async () => {
    const { checkpointer, stored } = setUp(3);
    await checkpointer.sign();
    expect(stored).toEqual([]);
  });

  it("counts a failure, and signs again once the cause is gone", async () => {
    const { checkpointer, stored, failures, log } = setUp();
    failures.disk = new Error("disk full");
    await checkpointer.sign();
    expect([failures.count, stored.length, log.messages.length]).toEqual([1, 0, 1]);
    failures.disk = null;
    await checkpointer.sign();
    expect(stored).toHaveLength(1);
  });

  it("appends a checkpoint to the file once while the store refuses it", async () => {
    const { checkpointer, store, stored, filed, failures } = setUp();
    store.fault = new Error("read-only");
    for (let attempt = 0; attempt < 3; attempt += 1) await checkpointer.sign();
    expect([failures.count, filed.length]).toEqual([3, 1]);
    store.fault = null;
    await checkpointer.sign();
    expect([stored.length, filed.length]).toEqual([1, 1]);
  });
});
