import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { GrantClaim } from "../ports/claims.ts";
import { rowText } from "../testing/expect-chain.ts";
import {
  apiKey,
  approvalChange,
  approvalClaim,
  counters,
  entry,
  grantClaim,
  keyClaim,
  NOW_MS,
} from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

export function grantContract(subject: ContractSubject): void {
  const store = () => subject.store();

  /** A new organization in which the approval `apr_1` was approved, with one grant. */
  async function withGrant(expiresAtMs = NOW_MS + 1): Promise<string> {
    const org = randomUUID();
    await store().ledger.commit([entry("{}", { opensApproval: approvalClaim(org) })]);
    const grant = { expiresAtMs, approvers: ["key-2"], edit: null, maxUses: 1 };
    expect(await store().approvals.changeApproval(approvalChange(org, { grant }))).toBe("changed");
    return org;
  }

  const use = async (org: string, changes: Partial<GrantClaim> = {}) =>
    (await store().ledger.commit([entry('{"used":true}', { usesGrant: grantClaim(org, changes) })]))[0];

  describe("Claims: usesGrant", () => {
    it("A2: lets one row use a grant, and names that row to the others", async () => {
      const org = await withGrant();
      const first = await use(org);
      expect(first).toMatchObject({ kind: "committed" });
      if (first?.kind !== "committed") return;
      expect(await use(org)).toEqual({ kind: "grant_used", position: first.position });
      const [next] = await store().ledger.commit([entry('{"next":true}')]);
      expect(next).toMatchObject({ position: { seq: first.position.seq + 1 } });
    });

    it("of one batch, lets the first use it and names it to the second", async () => {
      const org = await withGrant();
      const claims = { usesGrant: grantClaim(org) };
      const [first, second, other] = await store().ledger.commit([
        entry("{}", claims),
        entry("{}", claims),
        entry("{}"),
      ]);
      if (first?.kind !== "committed") throw new Error(`expected a commit, got ${String(first?.kind)}`);
      const { logId, seq } = first.position;
      expect(second).toEqual({ kind: "grant_used", position: first.position });
      expect(other).toEqual({ kind: "committed", position: { logId, seq: seq + 1 } });
    });

    it.each([
      { name: "another call", changes: { binding: "call-2" }, kind: "grant_missing" },
      { name: "an unknown id", changes: { approvalId: "apr_2" }, kind: "grant_missing" },
      { name: "the moment it expires", changes: { atMs: NOW_MS + 1 }, kind: "grant_expired" },
      { name: "a time that is not a number", changes: { atMs: Number.NaN }, kind: "grant_expired" },
    ])("refuses it to $name, and it stays unused", async ({ changes, kind }) => {
      const org = await withGrant();
      expect(await use(org, changes)).toEqual({ kind });
      expect(await use(randomUUID())).toEqual({ kind: "grant_missing" });
      expect(await use(org)).toMatchObject({ kind: "committed" });
    });

    it("leaves it unused when another claim of the entry is refused", async () => {
      const org = await withGrant();
      const session = { org, agentId: "agent-1", sessionId: "session-1" };
      const claims = { usesGrant: grantClaim(org), idempotency: keyClaim(org) };
      const full = { ...claims, counters: counters(session, { maxSteps: 0 }) };
      const outcomes = await store().ledger.commit([entry('{"full":true}', full), entry("{}", claims)]);
      expect(outcomes).toMatchObject([{ kind: "refused" }, { kind: "committed" }]);
      const [, committed] = outcomes;
      if (committed?.kind !== "committed") return;
      const row = await store().audit.row(committed.position);
      expect(row === null ? null : rowText(row)).toBe("{}");
    });

    it("is worth nothing once a key that approved was revoked, also to a call that found it", async () => {
      const org = randomUUID();
      const key = apiKey(randomUUID(), { org });
      const by = { org, auditRow: "{}", actor: null, at: "2026-01-02T03:04:05.678Z" };
      expect(await store().keys.createKey({ ...by, key })).toMatchObject({ kind: "created" });
      await store().ledger.commit([entry("{}", { opensApproval: approvalClaim(org) })]);
      const grant = { expiresAtMs: NOW_MS + 1, approvers: ["key-2", key.id], edit: null, maxUses: 1 };
      expect(await store().approvals.changeApproval(approvalChange(org, { grant }))).toBe("changed");
      const again = approvalClaim(org, { approvalId: "apr_2" });
      const found = await store().ledger.commit([entry("{}", { opensApproval: again })]);
      expect(found).toEqual([{ kind: "granted", approvalId: "apr_1" }]);
      await store().keys.revokeKey({ ...by, id: key.id, revokedBy: "operator" });
      expect(await use(org)).toEqual({ kind: "grant_missing" });
      const asked = await store().ledger.commit([entry("{}", { opensApproval: again })]);
      expect(asked).toMatchObject([{ kind: "committed" }]);
    });

    it("lets one of 40 rows that race for it use it", async () => {
      const org = await withGrant();
      const outcomes = await Promise.all(Array.from({ length: 40 }, () => use(org)));
      const used = outcomes.filter((outcome) => outcome?.kind === "committed");
      expect(used).toHaveLength(1);
      const position = used[0]?.kind === "committed" ? used[0].position : null;
      expect(outcomes.filter((outcome) => outcome?.kind === "grant_used")).toHaveLength(39);
      expect(await use(org)).toEqual({ kind: "grant_used", position });
    });

    it("shows the grant, its edit and the row that has used it", async () => {
      const org = await withGrant();
      expect(await store().approvals.grant(org, "apr_1")).toEqual({
        approvalId: "apr_1",
        binding: "call-1",
        expiresAtMs: NOW_MS + 1,
        approvers: ["key-2"],
        edit: null,
        maxUses: 1,
        uses: 0,
        usedBy: null,
        usedAtMs: null,
      });
      const used = await use(org);
      if (used?.kind !== "committed") throw new Error(`expected a commit, got ${String(used?.kind)}`);
      expect(await store().approvals.grant(org, "apr_1")).toMatchObject({ usedBy: used.position });
      expect(await store().approvals.grant(randomUUID(), "apr_1")).toBeNull();
    });

    it.each([
      ["released", "committed"],
      ["kept", "grant_used"],
    ] as const)("after a settlement that says %s, answers %s to the next use", async (grant, kind) => {
      const org = await withGrant();
      const used = await use(org);
      if (used?.kind !== "committed") throw new Error(`expected a commit, got ${String(used?.kind)}`);
      const settlement = {
        org,
        decision: used.position,
        digest: "d",
        status: "not_executed",
        charges: [],
        row: "{}",
        idempotencyKey: "kept",
        grant,
      } as const;
      expect(await store().ledger.settle(settlement)).toEqual({ kind: "settled" });
      expect(await use(org)).toMatchObject({ kind });
      expect(await store().ledger.settle(settlement)).toEqual({ kind: "repeated" });
      expect(await use(org)).toMatchObject({ kind: "grant_used" });
    });
  });
}
