import { describe, expect, it } from "vitest";
import type { LogHead } from "../ports/audit-store.ts";
import type { Store } from "../ports/store.ts";
import { readChain } from "../testing/expect-chain.ts";
import { entry, killSwitch } from "../testing/records.ts";
import type { ContractSubject, StorePlace } from "./contract-subject.ts";

const LOG = "gateway-1";
const NOTICED = /its head|acknowledged row/;

const setHead = (size: number, hashOfSeq: number): string =>
  `UPDATE audit_logs SET size = ${String(size)},
    head_hash = (SELECT hash FROM audit_rows WHERE seq = ${String(hashOfSeq)})`;

/** Each leaves a log that would take the next row as if nothing were missing. */
const SET_BACK = [
  { name: "its last row is deleted", statements: [setHead(3, 2), "DELETE FROM audit_rows WHERE seq >= 3"] },
  { name: "most is deleted", statements: [setHead(1, 0), "DELETE FROM audit_rows WHERE seq >= 1"] },
  { name: "its head alone is set back", statements: [setHead(2, 1)] },
  { name: "its last row is another", statements: [setHead(4, 0)] },
  {
    name: "its last row is another, and more rows follow",
    statements: [
      "DELETE FROM audit_rows WHERE seq >= 3",
      `INSERT INTO audit_rows (log_id, seq, prev_hash, hash, bytes)
        SELECT log_id, seq + 3, prev_hash, hash, bytes FROM audit_rows WHERE seq < 3`,
      setHead(6, 5),
    ],
  },
];

export function headContract(subject: ContractSubject): void {
  describe("Ledger, when its log is set back under it,", () => {
    /** Four rows: by the ledger, by a change of control state, by a report, by the ledger. */
    async function openWithRows(place: StorePlace): Promise<Store> {
      const store = await place.open();
      await store.ledger.commit([entry('{"row":0}')]);
      await activate(store, "before");
      await settle(store, 0);
      await store.ledger.commit([entry('{"row":3}')]);
      return store;
    }

    const activate = async (store: Store, id: string) =>
      store.killSwitches.activateKillSwitch({
        org: "org",
        auditRow: "{}",
        record: killSwitch(id, { target_id: id }),
      });

    const settle = async (store: Store, seq: number) =>
      store.ledger.settle({
        org: "org",
        decision: { logId: LOG, seq },
        digest: "digest",
        status: "succeeded",
        charges: [],
        row: "{}",
        idempotencyKey: "kept",
        grant: "kept",
      });

    const writes: readonly ((store: Store) => Promise<unknown>)[] = [
      async (store) => store.ledger.commit([entry('{"reused":true}')]),
      async (store) => activate(store, "after"),
      async (store) => settle(store, 3),
      async (store) => store.check(),
    ];

    it.each(SET_BACK)("L2: appends nothing, by any way, ever after: $name", async ({ statements }) => {
      const place = await subject.newPlace();
      const store = await openWithRows(place);
      for (const statement of statements) await place.tamper(statement);
      // Reading must not make the store accept the rows that it finds as its own.
      const found = [await store.audit.heads(), await store.audit.rows(LOG, 0, 10)];
      for (const write of [...writes, ...writes]) await expect(write(store)).rejects.toThrow(NOTICED);
      await store.close();
      const reopened = await place.open();
      expect([await reopened.audit.heads(), await reopened.audit.rows(LOG, 0, 10)]).toEqual(found);
      expect(await reopened.killSwitches.killSwitch("org", "after")).toBeNull();
      await reopened.close();
      await place.remove();
    });

    it.each(writes.map((write, way) => ({ way, write })))(
      "L2: notices it at the first write, whatever it is ($way)",
      async ({ write }) => {
        const place = await subject.newPlace();
        const store = await openWithRows(place);
        await place.tamper(setHead(3, 2));
        await place.tamper("DELETE FROM audit_rows WHERE seq >= 3");
        await expect(write(store)).rejects.toThrow(NOTICED);
        await store.close();
        await place.remove();
      },
    );

    it.each(writes.slice(0, 3).map((append, way) => ({ way, append })))(
      "L2: knows the last row, whatever has appended it ($way)",
      async ({ append }) => {
        const place = await subject.newPlace();
        const store = await openWithRows(place);
        await append(store);
        await place.tamper(setHead(4, 3));
        await place.tamper("DELETE FROM audit_rows WHERE seq >= 4");
        for (const write of writes) await expect(write(store)).rejects.toThrow(NOTICED);
        await store.close();
        await place.remove();
      },
    );

    it("L2: notices it although this process has appended nothing yet", async () => {
      const place = await subject.newPlace();
      await (await openWithRows(place)).close();
      const store = await place.open();
      await place.tamper(setHead(3, 2));
      await place.tamper("DELETE FROM audit_rows WHERE seq >= 3");
      for (const write of writes) await expect(write(store)).rejects.toThrow(NOTICED);
      await store.close();
      await place.remove();
    });

    it("L2: names as its own end what it committed, when somebody else appends behind it", async () => {
      const place = await subject.newPlace();
      const store = await openWithRows(place);
      const own = inHex(await store.audit.ownHead());
      expect((await store.audit.heads()).map(inHex)).toEqual([own]);
      await place.tamper(
        `INSERT INTO audit_rows (log_id, seq, prev_hash, hash, bytes)
          SELECT log_id, seq + 1, prev_hash, hash, bytes FROM audit_rows WHERE seq = 3`,
      );
      await place.tamper(setHead(5, 4));
      expect(await store.audit.heads()).toMatchObject([{ logId: LOG, size: 5 }]);
      expect(inHex(await store.audit.ownHead())).toEqual(own);
      expect(own).toMatchObject({ logId: LOG, size: 4 });
      await store.close();
      await place.remove();
    });

    it("goes on without a restart once the head is back", async () => {
      const place = await subject.newPlace();
      const store = await openWithRows(place);
      await place.tamper(setHead(2, 1));
      for (const write of writes) await expect(write(store)).rejects.toThrow(NOTICED);
      await place.tamper(setHead(4, 3));
      for (const write of writes) await write(store);
      expect(await readChain(store.audit, LOG)).toHaveLength(7);
      await store.close();
      await place.remove();
    });
  });
}

/** The stores answer bytes of different classes. */
function inHex(head: LogHead | null) {
  return head === null ? null : { ...head, hash: Buffer.from(head.hash).toString("hex") };
}
