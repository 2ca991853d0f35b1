import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { GrantClaim } from "../ports/claims.ts";
import { rowText } from "../testing/expect-chain.ts";
import { approvalClaim, entry, grantClaim, keyClaim, NOW_MS, reservation } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

export function grantContract(subject: ContractSubject): void {
  const store = () => subject.store();

  /** A new organization in which the approval `apr_1` was approved, with one grant. */
  async function withGrant(expiresAtMs = NOW_MS + 1): Promise<string> {
    const org = randomUUID();
    await store().ledger.commit([entry("{}", { opensApproval: approvalClaim(org) })]);
    const grant = { id: "grant_1", expiresAtMs };
    const change = { org, id: "apr_1", grant, atMs: NOW_MS, auditRow: '{"approved":true}' };
    expect(await store().approvals.approve(change)).toBe("approved");
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
      { name: "another call", changes: { callDigest: "call-2" }, kind: "grant_missing" },
      { name: "an unknown id", changes: { grantId: "grant_2" }, kind: "grant_missing" },
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
      const full = { ...claims, reservation: reservation(session, { maxSteps: 0 }) };
      const outcomes = await store().ledger.commit([entry('{"full":true}', full), entry("{}", claims)]);
      expect(outcomes).toMatchObject([{ kind: "refused" }, { kind: "committed" }]);
      const [, committed] = outcomes;
      if (committed?.kind !== "committed") return;
      const row = await store().audit.row(committed.position);
      expect(row === null ? null : rowText(row)).toBe("{}");
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
  });

  describe("ApprovalStore", () => {
    it("A4: approves a pending approval once, with one audit row", async () => {
      const org = await withGrant();
      expect(await store().approvals.approval(org, "apr_1")).toMatchObject({ status: "approved" });
      const again = { org, id: "apr_1", grant: { id: "grant_2", expiresAtMs: NOW_MS + 1 } };
      const size = async () =>
        (await store().audit.heads()).find(({ logId }) => logId === store().logId)?.size;
      const before = await size();
      const change = { ...again, atMs: NOW_MS, auditRow: "{}" };
      expect(await store().approvals.approve(change)).toBe("not_pending");
      expect(await store().approvals.approve({ ...change, id: "apr_2" })).toBe("not_found");
      expect(await store().approvals.approval(randomUUID(), "apr_1")).toBeNull();
      expect(await size()).toBe(before);
      expect(await use(org, { grantId: "grant_2" })).toEqual({ kind: "grant_missing" });
    });

    it("A4: does not approve one whose time is over", async () => {
      const org = randomUUID();
      const claim = approvalClaim(org);
      await store().ledger.commit([entry("{}", { opensApproval: claim })]);
      const grant = { id: "grant_1", expiresAtMs: NOW_MS * 2 };
      const change = { org, id: "apr_1", grant, atMs: claim.expiresAtMs, auditRow: "{}" };
      expect(await store().approvals.approve(change)).toBe("not_pending");
    });

    it("A4: lets one of 20 approvals that race write its grant", async () => {
      const org = randomUUID();
      await store().ledger.commit([entry("{}", { opensApproval: approvalClaim(org) })]);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => {
          const grant = { id: `grant_${String(n)}`, expiresAtMs: NOW_MS + 1 };
          return store().approvals.approve({ org, id: "apr_1", grant, atMs: NOW_MS, auditRow: "{}" });
        }),
      );
      expect(answers.filter((answer) => answer === "approved")).toHaveLength(1);
    });
  });
}
