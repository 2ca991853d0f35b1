import { randomUUID } from "node:crypto";
import { runs } from "@svc/text/testing/runs";
import { describe, expect, it } from "vitest";
import type { ElsewhereQuestion } from "../ports/approval-store.ts";
import type { ApprovalClaim } from "../ports/claims.ts";
import type { RowPosition } from "../ports/row-position.ts";
import { apiKey, approvalChange, approvalClaim, entry, grantClaim, NOW_MS } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

export function sharedGrantContract(subject: ContractSubject): void {
  const store = () => subject.store();

  async function withGrant(maxUses: number, changes: Partial<ApprovalClaim> = {}): Promise<string> {
    const org = randomUUID();
    await store().ledger.commit([entry("{}", { opensApproval: approvalClaim(org, changes) })]);
    const grant = { expiresAtMs: NOW_MS + 10, approvers: ["key-2"], edit: null, maxUses };
    expect(await store().approvals.changeApproval(approvalChange(org, { grant }))).toBe("changed");
    return org;
  }

  const using = (org: string) => entry("{}", { usesGrant: grantClaim(org) });
  const use = async (org: string) => (await store().ledger.commit([using(org)]))[0];

  async function useAt(org: string): Promise<RowPosition> {
    const used = await use(org);
    if (used?.kind !== "committed") throw new Error(`expected a commit, got ${String(used?.kind)}`);
    return used.position;
  }

  const release = async (org: string, decision: RowPosition): Promise<void> => {
    const status = "not_executed" as const;
    const idempotencyKey = "kept" as const;
    const rest = { digest: "d", charges: [], row: "{}", grant: "released" as const };
    await store().ledger.settle({ org, decision, status, idempotencyKey, ...rest });
  };

  const revocation = (org: string) => {
    const { state } = approvalChange(org);
    return { org, id: "apr_1", version: 2, state, atMs: NOW_MS + 5, auditRow: '{"revoked":true}' };
  };

  describe("Claims: usesGrant of a grant that covers several calls", () => {
    // proves APR-91
    it("lets as many rows use it as it covers, of one batch and of several, and names the last", async () => {
      const org = await withGrant(3);
      const first = await store().ledger.commit([using(org), using(org)]);
      expect(first).toMatchObject([{ kind: "committed" }, { kind: "committed" }]);
      expect(await store().approvals.grant(org, "apr_1")).toMatchObject({ uses: 2, usedBy: null });
      const [third, fourth] = await store().ledger.commit([using(org), using(org)]);
      const position = third?.kind === "committed" ? third.position : null;
      expect(position).not.toBeNull();
      expect(fourth).toEqual({ kind: "grant_used", position });
      expect(await use(org)).toEqual({ kind: "grant_used", position });
      const read = { uses: 3, usedBy: position, usedAtMs: NOW_MS, maxUses: 3 };
      expect(await store().approvals.grant(org, "apr_1")).toMatchObject(read);
      expect(await store().approvals.grants(org, ["apr_1", "apr_2"])).toMatchObject([read]);
    });

    // proves APR-91
    it("lets exactly as many of 40 rows use it that race for the last uses", async () => {
      const org = await withGrant(7);
      const outcomes = await Promise.all(Array.from({ length: 40 }, () => use(org)));
      expect(outcomes.filter((outcome) => outcome?.kind === "committed")).toHaveLength(7);
      expect(outcomes.filter((outcome) => outcome?.kind === "grant_used")).toHaveLength(33);
    });

    it("gets back the uses of calls that did not run, each once", async () => {
      const org = await withGrant(2);
      const [one, two] = [await useAt(org), await useAt(org)];
      await release(org, one);
      await release(org, one);
      expect(await store().approvals.grant(org, "apr_1")).toMatchObject({ uses: 1, usedBy: null });
      const three = await useAt(org);
      expect(await use(org)).toEqual({ kind: "grant_used", position: three });
      await release(org, two);
      await release(org, three);
      expect([await useAt(org), await useAt(org)]).toHaveLength(2);
      expect(await use(org)).toMatchObject({ kind: "grant_used" });
    });

    // proves APR-92
    it.each([
      { maxUses: 1, uses: 1 },
      { maxUses: 2, uses: 1 },
      { maxUses: 2, uses: 2 },
    ])(
      "of $maxUses, $uses used, has no use left once revoked, and a release brings none back",
      async (one) => {
        const org = await withGrant(one.maxUses);
        const used = await Promise.all(Array.from({ length: one.uses }, () => useAt(org)));
        const { approvals } = store();
        expect(await approvals.revokeGrant({ ...revocation(org), version: 1 })).toBe("moved");
        expect(await approvals.revokeGrant({ ...revocation(org), id: "apr_2" })).toBe("not_found");
        expect(await approvals.revokeGrant({ ...revocation(org), atMs: NOW_MS + 10 })).toBe("moved");
        expect(await approvals.revokeGrant(revocation(org))).toBe("changed");
        expect(await approvals.revokeGrant({ ...revocation(org), version: 3 })).toBe("moved");
        expect((await use(org))?.kind).toBe(one.uses < one.maxUses ? "grant_missing" : "grant_used");
        for (const decision of used) await release(org, decision);
        expect(await use(org)).toEqual({ kind: "grant_missing" });
        expect(await approvals.grant(org, "apr_1")).toMatchObject({ uses: 0, usedBy: null, maxUses: 0 });
        const again = entry("{}", { opensApproval: approvalClaim(org, { approvalId: "apr_2" }) });
        expect(await store().ledger.commit([again])).toMatchObject([{ kind: "committed" }]);
      },
    );

    // proves APR-92
    it.each([1, 3])(
      "of %i is never usable after a revocation that uses and releases race with",
      async (n) => {
        for (let round = 0; round < runs(5, 200); round += 1) {
          const org = await withGrant(n);
          const useAndRelease = async () => {
            const used = await use(org);
            if (used?.kind === "committed") await release(org, used.position);
          };
          const calls = Array.from({ length: 6 }, useAndRelease);
          const revoked = store().approvals.revokeGrant(revocation(org));
          expect(await Promise.all([revoked, ...calls])).toContain("changed");
          expect(await use(org)).toEqual({ kind: "grant_missing" });
          expect(await store().approvals.grant(org, "apr_1")).toMatchObject({ uses: 0, usedBy: null });
        }
      },
    );

    it("is found by its binding until its last use", async () => {
      const org = await withGrant(2);
      const asked = () => entry("{}", { opensApproval: approvalClaim(org, { approvalId: "apr_2" }) });
      await use(org);
      const found = [{ kind: "granted", approvalId: "apr_1" }];
      expect(await store().ledger.commit([asked()])).toEqual(found);
      await use(org);
      expect(await store().ledger.commit([asked()])).toMatchObject([{ kind: "committed" }]);
    });
  });

  describe("ApprovalStore: grants of other sessions", () => {
    const question = { anywhere: "call-1-anywhere", requestedBy: "key-1", atMs: NOW_MS };
    const look = (org: string, rest: Partial<ElsewhereQuestion> = {}) =>
      store().approvals.usableElsewhere(org, { ...question, sessionId: "session-2", ...rest });

    // proves APR-90
    it("finds one that is unused, for calls of other sessions by the same key", async () => {
      const org = await withGrant(1);
      expect(await look(org)).toBe(true);
      expect(await look(org, { sessionId: null })).toBe(true);
      expect(await look(org, { sessionId: "session-1" })).toBe(false);
      expect(await look(org, { anywhere: "call-2-anywhere" })).toBe(false);
      expect(await look(org, { requestedBy: "key-3" })).toBe(false);
      expect(await look(org, { atMs: NOW_MS + 10 })).toBe(false);
      expect(await look(randomUUID())).toBe(false);
      await use(org);
      expect(await look(org)).toBe(false);
      const without = await withGrant(1, { sessionId: null });
      expect(await look(without)).toBe(true);
      expect(await look(without, { sessionId: null })).toBe(false);
    });

    it("finds none that a revoked key has approved", async () => {
      const org = randomUUID();
      const key = apiKey(randomUUID(), { org });
      const by = { org, auditRow: "{}", actor: null, at: "2026-01-02T03:04:05.678Z" };
      await store().keys.createKey({ ...by, key });
      await store().ledger.commit([entry("{}", { opensApproval: approvalClaim(org) })]);
      const grant = { expiresAtMs: NOW_MS + 10, approvers: [key.id], edit: null, maxUses: 1 };
      await store().approvals.changeApproval(approvalChange(org, { grant }));
      expect(await look(org)).toBe(true);
      await store().keys.revokeKey({ ...by, id: key.id, revokedBy: "operator" });
      expect(await look(org)).toBe(false);
    });
  });
}
