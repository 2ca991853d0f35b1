import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { StoredKey } from "../ports/key-store.ts";
import { readChain, rowText } from "../testing/expect-chain.ts";
import { entry } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

/** A row as tools read it, whose arguments name an organization, too: only the row's own counts. */
function rowOfOrg(org: string, text: string): string {
  return JSON.stringify({
    v: 1,
    kind: "key",
    time: "2026-01-02T03:04:05.678Z",
    org,
    args: { org: "x", text },
  });
}

function parsedLine(line: string): unknown {
  return JSON.parse(line);
}

export function auditContract(subject: ContractSubject): void {
  describe("AuditStore", () => {
    it("reads rows by position, from a position and up to a limit", async () => {
      const { audit, ledger, logId } = subject.store();
      const outcomes = await ledger.commit([entry('{"r":0}'), entry('{"r":1}'), entry('{"r":2}')]);
      const first = outcomes[0]?.kind === "committed" ? outcomes[0].position.seq : -1;
      expect((await audit.rows(logId, first + 1, 1)).map(rowText)).toEqual(['{"r":1}']);
      expect(await audit.row({ logId, seq: first + 2 })).toMatchObject({ logId, seq: first + 2 });
      expect(await audit.row({ logId, seq: first + 3 })).toBeNull();
      expect(await audit.row({ logId: "no-such-log", seq: 0 })).toBeNull();
      expect(await audit.rows("no-such-log", 0, 10)).toEqual([]);
      await readChain(audit, logId);
    });

    it("keeps rows of a megabyte byte for byte, and goes on from them", async () => {
      const { audit, ledger, logId } = subject.store();
      const large = JSON.stringify({ text: '\u00e9\\"'.repeat(250_000) });
      const rows = ['{"r":0}', large, large, '{"r":3}'];
      const outcomes = await ledger.commit(rows.map((row) => entry(row)));
      const first = outcomes[0]?.kind === "committed" ? outcomes[0].position.seq : -1;
      const stored = await audit.row({ logId, seq: first + 1 });
      expect(stored === null ? null : rowText(stored) === large).toBe(true);
      expect(await ledger.commit([entry('{"r":4}')])).toEqual([
        { kind: "committed", position: { logId, seq: first + 4 } },
      ]);
      await readChain(audit, logId);
    });

    // proves FAIR-08
    it("reads rows up to so many bytes, and at least one", async () => {
      const { audit, ledger, logId } = subject.store();
      const texts = ["a", "b", "c"].map((letter) => JSON.stringify({ é: letter.repeat(1_000) }));
      const outcomes = await ledger.commit([...texts, "{}"].map((text) => entry(text)));
      const first = outcomes[0]?.kind === "committed" ? outcomes[0].position.seq : -1;
      const length = Buffer.byteLength(texts[0] ?? "");
      const read = async (from: number, limit: number, maxBytes: number): Promise<string[]> =>
        (await audit.rows(logId, from, limit, maxBytes)).map(rowText);
      expect(await read(first, 10, 2 * length)).toEqual(texts.slice(0, 2));
      expect(await read(first, 10, 2 * length - 1)).toEqual(texts.slice(0, 1));
      expect(await read(first, 10, 1)).toEqual(texts.slice(0, 1));
      expect(await read(first, 2, 100 * length)).toEqual(texts.slice(0, 2));
      expect(await read(first + 3, 10, 1)).toEqual(["{}"]);
      expect(await read(first + 4, 10, 1)).toEqual([]);
    });

    // proves FAIR-08
    it("exports whole lines of 500 rows or 1 MiB of rows, leaves out what is missing, and ends", async () => {
      const place = await subject.newPlace();
      const store = await place.open();
      const rowOf = (at: number, length = 0): string =>
        rowOfOrg("org", `${String(at)} ${"é".repeat(length)}`);
      const texts = Array.from({ length: 700 }, (_, at) => rowOf(at, at === 600 ? 800_000 : 0));
      await store.ledger.commit(texts.map((text) => entry(text)));
      await place.tamper("DELETE FROM audit_rows WHERE seq IN (2, 698, 699)");
      const pages = [];
      for (let from: number | null = 0; from !== null; ) {
        const page = await store.audit.exportRows({ logId: store.logId, from, end: 699, org: "org" });
        if (page.kind !== "lines") throw new Error(page.kind);
        pages.push(page);
        from = page.next;
      }
      expect(pages.map(({ rows }) => rows)).toEqual([500, 99, 1, 97, 0]);
      const text = pages.map(({ lines }) => Buffer.from(lines).toString()).join("");
      const found = text.trimEnd().split("\n").map(parsedLine);
      const wanted = texts.slice(0, 698).map((row, seq) => ({ log_id: store.logId, seq, row }));
      expect(found).toMatchObject(wanted.toSpliced(2, 1));
      await store.close();
      await place.remove();
    });

    // proves AUD-32
    it("exports no line of a page that holds a row of another organization", async () => {
      const place = await subject.newPlace();
      const store = await place.open();
      const texts = ["org", "org", "other", "org"].map((org) => rowOfOrg(org, "x"));
      await store.ledger.commit(texts.map((text) => entry(text)));
      const range = { logId: store.logId, from: 0, org: "org" };
      expect(await store.audit.exportRows({ ...range, end: 4 })).toEqual({ kind: "foreign_row", seq: 2 });
      expect(await store.audit.exportRows({ ...range, end: 2 })).toMatchObject({ rows: 2, next: null });
      await store.close();
      await place.remove();
    });

    // proves FAIR-09
    it("tells how many bytes the store takes, and takes more for more rows", async () => {
      const store = subject.store();
      const before = await store.sizeBytes();
      const row = entry(JSON.stringify({ t: "x".repeat(200_000) }));
      // More than the write-ahead log of the embedded store takes before its space is used again.
      for (let at = 0; at < 30; at += 1) await store.ledger.commit([row]);
      expect(await store.sizeBytes()).toBeGreaterThan(before);
      await readChain(store.audit, store.logId);
    });

    it("starts a log's head at its genesis", async () => {
      const place = await subject.newPlace();
      const store = await place.open({ logId: "log-a" });
      expect(await readChain(store.audit, "log-a")).toEqual([]);
      await store.ledger.commit([entry("{}")]);
      await store.close();
      const other = await place.open({ logId: "log-b" });
      expect((await other.audit.heads()).map(({ logId, size }) => [logId, size])).toEqual([
        ["log-a", 1],
        ["log-b", 0],
      ]);
      await other.close();
      await place.remove();
    });

    it("keeps checkpoints by size; the same again is a repeat, another of that size is refused", async () => {
      const { audit } = subject.store();
      const logId = randomUUID();
      for (const size of [1, 5, 9])
        await audit.appendCheckpoint({ logId, size, note: `note ${String(size)}\n` });
      await audit.appendCheckpoint({ logId, size: 5, note: "note 5\n" });
      await expect(audit.appendCheckpoint({ logId, size: 5, note: "other\n" })).rejects.toThrow(
        /another note/,
      );
      expect(await audit.checkpoints(logId, 1, 10)).toEqual([
        { logId, size: 5, note: "note 5\n" },
        { logId, size: 9, note: "note 9\n" },
      ]);
      expect(await audit.checkpoints(logId, 0, 1)).toHaveLength(1);
    });
  });

  describe("KeyStore", () => {
    const key = (id: string, secret: number): StoredKey => ({
      id,
      org: "org",
      origin: "bootstrap",
      role: "admin",
      secretSha256: new Uint8Array(32).fill(secret),
      createdAt: "2026-01-02T03:04:05.678Z",
    });

    const secretOf = async (id: string): Promise<number | undefined> => {
      const found = (await subject.store().keys.keys()).find((candidate) => candidate.id === id);
      return found?.secretSha256[0];
    };

    it("creates a key once, with its audit row", async () => {
      const { keys, audit, logId } = subject.store();
      const id = randomUUID();
      expect(await keys.createKey(key(id, 1), `{"created":"${id}"}`)).toBe("created");
      expect(await keys.createKey(key(id, 2), `{"again":"${id}"}`)).toBe("id_taken");
      expect(await secretOf(id)).toBe(1);
      const texts = (await readChain(audit, logId)).map(rowText);
      expect(texts.filter((text) => text.includes(id))).toEqual([`{"created":"${id}"}`]);
    });

    // proves AUTH-10
    it("puts a bootstrap key in place of the others, for good, and keeps every managed key", async () => {
      const place = await subject.newPlace();
      const store = await place.open();
      for (const id of ["lost", "old"]) await store.keys.createKey(key(id, 1), "{}");
      for (const org of ["org", "other-org"])
        await store.keys.createKey({ ...key(`managed-${org}`, 3), org, origin: "managed" }, "{}");
      const kept = ["managed-org", "managed-other-org", "new"];
      expect(await store.keys.putBootstrapKey(key("new", 2), "{}")).toBe("put");
      expect((await store.keys.keys()).map(({ id }) => id)).toEqual(kept);
      await store.close();
      const reopened = await place.open();
      expect((await reopened.keys.keys()).map(({ id }) => id)).toEqual(kept);
      await reopened.close();
      await place.remove();
    });

    it("never puts a bootstrap key in place of a managed one, and writes no row then", async () => {
      const { keys, audit, logId } = subject.store();
      const id = randomUUID();
      await keys.createKey({ ...key(id, 1), origin: "managed" }, `{"created":"${id}"}`);
      expect(await keys.putBootstrapKey(key(id, 2), `{"put":"${id}"}`)).toBe("id_taken");
      expect(await secretOf(id)).toBe(1);
      const texts = (await readChain(audit, logId)).map(rowText);
      expect(texts.filter((text) => text.includes(id))).toEqual([`{"created":"${id}"}`]);
    });

    it("puts a bootstrap key that exists or not, with its audit row", async () => {
      const { keys, audit, logId } = subject.store();
      const id = randomUUID();
      await keys.putBootstrapKey(key(id, 1), `{"put":"${id}"}`);
      await keys.putBootstrapKey(key(id, 2), `{"put":"${id}"}`);
      expect(await secretOf(id)).toBe(2);
      const texts = (await readChain(audit, logId)).map(rowText);
      expect(texts.filter((text) => text.includes(id))).toHaveLength(2);
    });
  });
}
