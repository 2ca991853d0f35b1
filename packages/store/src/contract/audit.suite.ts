import { randomUUID } from "node:crypto";
import { signCheckpoint } from "@svc/audit-log/checkpoint";
import { emptyExcerptDigest } from "@svc/audit-log/excerpt-digest";
import { generateSigningKey, parseSigner } from "@svc/audit-log/note-key";
import { NO_FILTER } from "@svc/audit-log/row-filter";
import { genesisHash } from "@svc/audit-log/row-hash";
import { describe, expect, it } from "vitest";
import type { AuditStore } from "../ports/audit-store.ts";
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

/** A checkpoint of the log as it stands. */
async function checkpointNote(audit: AuditStore, logId: string): Promise<string> {
  const head = (await audit.heads()).find((candidate) => candidate.logId === logId);
  if (head === undefined) throw new Error(`no log ${logId}`);
  return signCheckpoint(parseSigner("svc-test", generateSigningKey()), head);
}

/** The excerpt of everything that an organization has. */
const ASKED = { org: "org", filter: NO_FILTER, keys: [] };

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

    it("reads rows of several logs as events, an outcome with the names of its decision", async () => {
      const { audit, ledger, logId } = subject.store();
      const names = { agent_id: "a", namespace: "n", decision: "deny" };
      const common = { v: 1, time: "2026-01-02T03:04:05.678Z", org: "o" };
      const first = (await audit.heads()).find((head) => head.logId === logId)?.size ?? 0;
      const texts = [
        { ...common, kind: "decision", ...names },
        { ...common, kind: "outcome", decision_id: `${logId}.${String(first)}` },
        { ...common, kind: "kill_switch", scope: "namespace", target_id: "n" },
        { ...common, kind: "policy" },
        { ...common, kind: "not\na kind" },
        { ...common, org: "p", kind: "outcome", decision_id: `${logId}.${String(first)}` },
      ].map((row) => JSON.stringify(row));
      await ledger.commit([...texts, "{}"].map((row) => entry(row)));
      const query = { from: new Map([[logId, first]]), limit: 10, maxBytes: 1e6 };
      const page = await audit.eventRows(query);
      expect(
        page.events.map(({ kind, org, agentId, namespace, decision }) => [
          kind,
          org,
          agentId,
          namespace,
          decision,
        ]),
      ).toEqual([
        ["decision", "o", "a", "n", "deny"],
        ["outcome", "o", "a", "n", "deny"],
        ["kill_switch", "o", null, "n", null],
        ["policy", "o", null, null, null],
        ["outcome", "p", null, null, null],
      ]);
      const [event] = page.events;
      const place = { id: `${logId}.${String(first)}`, log_id: logId, seq: first, kind: "decision" };
      const hash = Buffer.from((await audit.row({ logId, seq: first }))?.hash ?? []).toString("hex");
      const row: unknown = JSON.parse(texts[0] ?? "");
      expect(JSON.parse(event?.data ?? "")).toEqual({ ...place, time: common.time, hash, row });
      expect([page.unreadable, page.next.get(logId), page.sizes.get(logId)]).toEqual([
        2,
        first + 7,
        first + 7,
      ]);
      const short = await audit.eventRows({ ...query, limit: 2 });
      expect([short.events.length, short.next.get(logId)]).toEqual([2, first + 2]);
      const none = await audit.eventRows({ ...query, from: new Map(), limit: 0 });
      expect([none.events, none.sizes.get(logId)]).toEqual([[], first + 7]);
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

    // proves AUD-32, AUD-33
    it("reads the rows of one organization for an excerpt, with the chain of all rows", async () => {
      const store = subject.store();
      const { audit, logId } = store;
      const orgs = Array.from({ length: 1_200 }, (_, at) => (at % 3 === 0 ? "org" : "other"));
      const from = (await audit.heads()).find((head) => head.logId === logId)?.size ?? 0;
      await store.ledger.commit(orgs.map((org, at) => entry(rowOfOrg(org, String(at)))));
      const head = (await audit.heads()).find((candidate) => candidate.logId === logId);
      const end = head?.size ?? 0;
      const first = await audit.row({ logId, seq: from });
      let state = { head: first?.prevHash ?? new Uint8Array(), digest: emptyExcerptDigest(logId, "org") };
      let text = "";
      for (let next: number | null = from; next !== null; ) {
        const page = await audit.excerptRows({ logId, from: next, end, ...ASKED, ...state });
        if (page.kind !== "lines") throw new Error(page.kind);
        state = { head: page.head, digest: page.digest };
        text += Buffer.from(page.lines).toString();
        next = page.next;
      }
      expect(Buffer.from(state.head).toString("hex")).toBe(Buffer.from(head?.hash ?? []).toString("hex"));
      const shown = orgs.flatMap((org, at) =>
        org === "org" ? [{ log_id: logId, seq: from + at, row: rowOfOrg(org, String(at)) }] : [],
      );
      expect(text.trimEnd().split("\n").map(parsedLine)).toEqual(shown);
    });

    // proves AUD-34
    it.each([
      ["a row that was removed", "DELETE FROM audit_rows WHERE seq = 1", 1],
      ["a first row that was removed", "DELETE FROM audit_rows WHERE seq = 0", 0],
      ["a last row that was removed", "DELETE FROM audit_rows WHERE seq = 3", 3],
      [
        "a row of another organization that was changed",
        "UPDATE audit_rows SET bytes = hash WHERE seq = 1",
        1,
      ],
      ["a row of its own that was changed", "UPDATE audit_rows SET bytes = hash WHERE seq = 2", 2],
      ["another hash", "UPDATE audit_rows SET hash = prev_hash WHERE seq = 1", 1],
      ["another link", "UPDATE audit_rows SET prev_hash = hash WHERE seq = 2", 2],
      ["another checkpoint", "UPDATE checkpoints SET note = 'x'", 1],
    ])("finds for an excerpt the place of %s", async (_, statement, seq) => {
      const place = await subject.newPlace();
      const store = await place.open();
      const { audit, logId } = store;
      const rows = ["org", "other", "org", "org"].map((org) => entry(rowOfOrg(org, "x")));
      await store.ledger.commit(rows.slice(0, 2));
      await audit.appendCheckpoint({ logId, size: 2, note: await checkpointNote(audit, logId) });
      await store.ledger.commit(rows.slice(2));
      const state = { head: genesisHash(logId), digest: emptyExcerptDigest(logId, "org") };
      const range = { logId, from: 0, end: 4, ...ASKED, ...state };
      expect(await audit.excerptRows(range)).toMatchObject({ kind: "lines", rows: 3, next: null });
      await place.tamper(statement);
      let page = await audit.excerptRows(range);
      if (page.kind === "lines" && page.next !== null)
        page = await audit.excerptRows({ ...range, from: page.next, head: page.head, digest: page.digest });
      expect(page).toEqual({ kind: "broken_chain", seq });
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
}
