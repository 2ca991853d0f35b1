import { signCheckpoint } from "@svc/audit-log/checkpoint";
import { emptyExcerptDigest } from "@svc/audit-log/excerpt-digest";
import { generateSigningKey, parseSigner, renderVerifierKey } from "@svc/audit-log/note-key";
import { type Removal, signRemoval } from "@svc/audit-log/removal";
import { NO_FILTER } from "@svc/audit-log/row-filter";
import { genesisHash } from "@svc/audit-log/row-hash";
import type { LegalHoldRecord } from "@svc/contract/legal-hold";
import { DEFAULT_ROGUE_DETECTION } from "@svc/contract/rogue-detection";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Claims } from "../ports/claims.ts";
import type { RetentionFinding } from "../ports/retention-store.ts";
import type { Store } from "../ports/store.ts";
import { approvalClaim, entry, keyClaim, legalHold } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const NOW_MS = Date.UTC(2026, 0, 1);
const signer = parseSigner("svc-test", generateSigningKey());

interface RowSketch {
  readonly kind?: string;
  readonly org?: string;
  readonly ageDays?: number;
  readonly decision?: string;
  readonly agent_id?: string;
  readonly namespace?: string;
  readonly claims?: Partial<Claims>;
}

function rowOf({
  kind = "decision",
  org = "a",
  ageDays = 100,
  claims: _claims,
  ...members
}: RowSketch): string {
  const time = new Date(NOW_MS - ageDays * DAY_MS).toISOString();
  return JSON.stringify({ v: 1, kind, time, org, decision: "deny", agent_id: "agent-1", ...members });
}

/** A store with these rows, all of them signed. */
async function storeWith(subject: ContractSubject, sketches: readonly RowSketch[]) {
  const where = await subject.newPlace();
  const store = await where.open();
  onTestFinished(async () => {
    await store.close();
    await where.remove();
  });
  await store.ledger.commit(sketches.map((sketch) => entry(rowOf(sketch), sketch.claims ?? {})));
  await sign(store);
  return { where, store };
}

async function sign({ audit, logId }: Store): Promise<void> {
  const head = (await audit.heads()).find((candidate) => candidate.logId === logId);
  if (head === undefined) throw new Error("no head");
  await audit.appendCheckpoint({ logId, size: head.size, note: signCheckpoint(signer, head) });
}

const look = ({ retention, logId }: Store, days = 30, block = 0): Promise<RetentionFinding> =>
  retention.removable({ logId, block, days, nowMs: NOW_MS });

const seqsOf = (finding: RetentionFinding): unknown =>
  finding.kind === "removable"
    ? finding.removables.map(({ org, ranges }) => [org, ...ranges.map(({ from, to }) => [from, to])])
    : finding;

async function remove(store: Store, finding: RetentionFinding, changes: Partial<Removal> = {}) {
  if (finding.kind !== "removable") throw new Error(finding.kind);
  const { logId } = store;
  const removedAt = new Date(NOW_MS).toISOString();
  const removals = finding.removables.map((removable) => ({
    ...removable,
    note: signRemoval(signer, { ...removable, logId, removedAt, days: 30, ...changes }),
    auditRow: rowOf({ kind: "retention", org: removable.org, ageDays: 0 }),
  }));
  return store.retention.remove({ logId, guard: finding.guard, removals });
}

async function place(store: Store, record: LegalHoldRecord, org = "a"): Promise<void> {
  const auditRow = rowOf({ kind: "legal_hold", org, ageDays: 0 });
  expect(await store.legalHolds.create({ org, auditRow, record })).toEqual({ kind: "created" });
}

async function contents({ audit, logId }: Store): Promise<readonly boolean[]> {
  return (await audit.rows(logId, 0, 1_000)).map(({ bytes }) => bytes.length > 0);
}

async function excerpt(store: Store, org: string) {
  const { audit, logId } = store;
  const end = (await audit.heads())[0]?.size ?? 0;
  const state = { head: genesisHash(logId), digest: emptyExcerptDigest(logId, org) };
  const keys = [renderVerifierKey(signer.verifier)];
  return audit.excerptRows({ logId, from: 0, end, org, filter: NO_FILTER, keys, ...state });
}

export function retentionContract(subject: ContractSubject): void {
  describe("RetentionStore", () => {
    // proves AUD-24
    it("removes rows past their time: number, link and hash stay, and a row says which went", async () => {
      const ages = [100, 100, 5, 100, 5];
      const { store } = await storeWith(
        subject,
        ages.map((ageDays) => ({ ageDays, kind: "policy" })),
      );
      const before = await store.audit.rows(store.logId, 0, 10);
      const finding = await look(store);
      // Row 3 came after a younger one, so a clock was wrong, and it is not older than that.
      expect(seqsOf(finding)).toEqual([["a", [0, 1]]]);
      expect(await remove(store, finding)).toBe("removed");
      const after = await store.audit.rows(store.logId, 0, 10);
      expect(after.map(({ bytes }) => bytes.length > 0)).toEqual([false, false, true, true, true, true]);
      expect(after.slice(0, 5).map(({ seq, hash, prevHash }) => ({ seq, hash, prevHash }))).toEqual(
        before.map(({ seq, hash, prevHash }) => ({ seq, hash, prevHash })),
      );
      expect(await look(store)).toEqual({ kind: "kept" });
      expect(await store.audit.row({ logId: store.logId, seq: 0 })).toMatchObject({ seq: 0 });
    });

    it("leaves what is young, not signed yet, unreadable, or about retention itself", async () => {
      const old = { kind: "policy" };
      const sketches = [old, { kind: "retention" }, { kind: "legal_hold" }, { ageDays: 29 }];
      const { store } = await storeWith(subject, sketches);
      await store.ledger.commit([entry(rowOf(old)), entry('{"v":2}')]);
      expect(seqsOf(await look(store))).toEqual([["a", [0, 0]]]);
      expect(await look(store, 101)).toEqual({ kind: "young" });
      expect(await look(store, 30, 1)).toEqual({ kind: "young" });
      expect(await store.retention.emptyBlocks(store.logId)).toEqual([]);
    });

    it("leaves what something still needs", async () => {
      const late = NOW_MS + 1;
      const { store } = await storeWith(subject, [
        { claims: { idempotency: keyClaim("a", { expiresAtMs: late }) } },
        { claims: { opensApproval: approvalClaim("a", { expiresAtMs: late }) } },
        { decision: "allow", ageDays: 29 },
        { decision: "allow", ageDays: 29 },
        { decision: "deny", ageDays: 29 },
      ]);
      await store.ledger.settle({
        org: "a",
        decision: { logId: store.logId, seq: 3 },
        digest: "d",
        status: "succeeded",
        charges: [],
        row: rowOf({ kind: "outcome", ageDays: 0 }),
        idempotencyKey: "kept",
        grant: "kept",
      });
      // The rows before are older, and the youngest of these sets the time.
      expect(seqsOf(await look(store, 10))).toEqual([["a", [3, 4]]]);
    });

    // proves ROGUE-15
    it("keeps decisions of a namespace as long as its settings say, and never shorter", async () => {
      const { store } = await storeWith(subject, [
        { namespace: "slow" },
        { namespace: "fast" },
        { namespace: "x" },
      ]);
      for (const [id, days] of [
        ["slow", 365],
        ["fast", 1],
      ] as const) {
        const times = { created_at: "", created_by: "k", updated_at: "" };
        const record = { id, name: id, description: null, ...times };
        const auditRow = rowOf({ kind: "namespace", ageDays: 0 });
        await store.namespaces.createNamespace({ org: "a", auditRow, record });
        const escalation = { ...DEFAULT_ROGUE_DETECTION.escalation, audit_retention_days: days };
        const settings = { ...DEFAULT_ROGUE_DETECTION, escalation };
        const stored = { settings, updatedAt: "", updatedBy: "k" };
        await store.namespaces.putRogueDetection({ org: "a", auditRow, id, stored });
      }
      expect(seqsOf(await look(store))).toEqual([["a", [1, 2]]]);
      expect(await look(store, 101)).toEqual({ kind: "young" });
    });

    // proves AUD-37
    it("keeps what a legal hold covers until the hold is lifted", async () => {
      const { store } = await storeWith(subject, [
        { agent_id: "agent-1" },
        { agent_id: "agent-2" },
        { kind: "outcome" },
        { agent_id: "agent-1", org: "b" },
      ]);
      await place(store, legalHold("h1", { agent_id: "agent-1" }));
      expect(seqsOf(await look(store))).toEqual([
        ["a", [1, 1]],
        ["b", [3, 3]],
      ]);
      await place(store, legalHold("h2"));
      expect(seqsOf(await look(store))).toEqual([["b", [3, 3]]]);
      const lift = async (before: LegalHoldRecord, org = "a") => {
        const auditRow = rowOf({ kind: "legal_hold", ageDays: 0 });
        const record = { ...before, lifted_at: "t", lifted_by: "k" };
        return store.legalHolds.replace({ org, auditRow, before, record });
      };
      expect(await lift(legalHold("h2"))).toEqual({ kind: "replaced" });
      expect(await lift(legalHold("h2"))).toEqual({ kind: "changed_before" });
      expect(await lift(legalHold("h3"))).toEqual({ kind: "not_found" });
      expect(await lift(legalHold("h1"), "b")).toEqual({ kind: "not_found" });
      expect(seqsOf(await look(store))).toEqual([
        ["a", [1, 1]],
        ["b", [3, 3]],
      ]);
      const page = await store.legalHolds.list("a", { limit: 1, after: null });
      expect(page).toMatchObject({ items: [{ id: "h2", lifted_at: "t", lifted_by: "k" }] });
      const next = page === "bad_cursor" ? null : page.next;
      expect(await store.legalHolds.list("a", { limit: 1, after: next })).toMatchObject({
        items: [{ id: "h1" }],
        next: null,
      });
      expect(await store.legalHolds.list("a", { limit: 1, after: "x" })).toBe("bad_cursor");
      expect(await store.legalHolds.find("b", "h1")).toBeNull();
      expect((await store.legalHolds.inForce("a")).map(({ id }) => id)).toEqual(["h1"]);
    });

    // proves AUD-37
    it("removes nothing when a hold was placed, or a row removed, since it looked", async () => {
      const { store } = await storeWith(subject, [{}, {}]);
      const finding = await look(store);
      await place(store, legalHold("h1"), "b");
      expect(await remove(store, finding)).toBe("changed");
      expect(await contents(store)).toEqual([true, true, true]);
      const again = await look(store);
      expect(await remove(store, again)).toBe("removed");
      expect(await remove(store, again)).toBe("changed");
      expect(await contents(store)).toEqual([false, false, true, true]);
    });

    it.each([
      ["another content", "UPDATE audit_rows SET bytes = hash WHERE seq = 1", 1],
      ["another link", "UPDATE audit_rows SET prev_hash = hash WHERE seq = 2", 2],
      ["a row less", "DELETE FROM audit_rows WHERE seq = 1", 2],
    ])("removes nothing of a block that has %s: that would hide it", async (_, statement, seq) => {
      const { where, store } = await storeWith(subject, [{}, {}, {}]);
      await where.tamper(statement);
      expect(await look(store)).toEqual({ kind: "damaged", seq });
    });

    // proves AUD-36
    it("exports removed rows with their statements, and no page with another organization's", async () => {
      const { store } = await storeWith(
        subject,
        Array.from({ length: 300 }, () => ({})),
      );
      for (const block of [0, 1]) await remove(store, await look(store, 30, block));
      expect(await store.retention.emptyBlocks(store.logId)).toEqual([0]);
      const { logId } = store;
      const page = await store.audit.exportRows({ logId, from: 0, end: 302, org: "a" });
      if (page.kind !== "lines") throw new Error(page.kind);
      expect(page).toMatchObject({ rows: 302, removals: 2, next: null });
      const lines = Buffer.from(page.lines).toString().trimEnd().split("\n");
      expect(lines.flatMap((line, at) => (line.includes('"removal":') ? [at] : []))).toEqual([256, 303]);
      expect(lines.filter((line) => line.endsWith(',"removed":true}'))).toHaveLength(300);
      expect(await store.audit.exportRows({ logId, from: 0, end: 302, org: "b" })).toEqual({
        kind: "foreign_row",
        seq: 300,
      });
    });

    // proves AUD-36
    it("counts removed rows in the excerpt of their organization, each with a statement", async () => {
      const { where, store } = await storeWith(subject, [{}, { org: "b" }, { org: "b" }, { ageDays: 1 }]);
      await remove(store, await look(store));
      expect(await excerpt(store, "a")).toMatchObject({ kind: "lines", rows: 2, removed: 1 });
      expect(await excerpt(store, "b")).toMatchObject({ kind: "lines", rows: 1, removed: 2 });
      await where.tamper("UPDATE audit_rows SET bytes = '' WHERE seq = 3");
      expect(await excerpt(store, "a")).toEqual({ kind: "broken_chain", seq: 3 });
      await where.tamper("DELETE FROM audit_removals");
      expect(await excerpt(store, "a")).toEqual({ kind: "broken_chain", seq: 0 });
    });

    it("goes on after removals: new rows follow, and the store opens again", async () => {
      const { where, store } = await storeWith(subject, [{}, {}]);
      await remove(store, await look(store));
      await store.ledger.commit([entry(rowOf({ ageDays: 0 }))]);
      await store.close();
      const reopened = await where.open();
      expect(await contents(reopened)).toEqual([false, false, true, true]);
      expect(await reopened.ledger.commit([entry(rowOf({ ageDays: 0 }))])).toMatchObject([
        { kind: "committed" },
      ]);
      await reopened.close();
    });
  });
}
