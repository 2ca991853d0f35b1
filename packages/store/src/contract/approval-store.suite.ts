import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ApprovalFilter } from "../ports/approval-store.ts";
import type { ApprovalClaim } from "../ports/claims.ts";
import { approvalChange, approvalClaim, entry, NOW_MS } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

const ALL: ApprovalFilter = {
  status: null,
  agentId: null,
  sessionId: null,
  tool: null,
  workflowId: null,
  agents: null,
  namespaces: null,
  atMs: NOW_MS,
};

export function approvalStoreContract(subject: ContractSubject): void {
  const store = () => subject.store();
  const ownSize = async () =>
    (await store().audit.heads()).find(({ logId }) => logId === store().logId)?.size ?? 0;

  /** A new organization with approvals `apr_1`, `apr_2`, ... */
  async function withApprovals(...changes: readonly Partial<ApprovalClaim>[]): Promise<string> {
    const org = randomUUID();
    const claims = changes.map((change, index) => {
      const n = String(index + 1);
      return approvalClaim(org, { approvalId: `apr_${n}`, binding: `call-${n}`, ...change });
    });
    await store().ledger.commit(claims.map((opensApproval) => entry("{}", { opensApproval })));
    return org;
  }

  describe("ApprovalStore", () => {
    it("A4: changes one version once, with one audit row", async () => {
      const org = await withApprovals({});
      const before = await ownSize();
      expect(await store().approvals.changeApproval(approvalChange(org))).toBe("changed");
      expect(await store().approvals.approval(org, "apr_1")).toMatchObject({
        status: "approved",
        version: 2,
      });
      const deny = { status: "denied", grant: null } as const;
      for (const version of [1, 2])
        expect(await store().approvals.changeApproval(approvalChange(org, { ...deny, version }))).toBe(
          "moved",
        );
      const unknown = approvalChange(org, { id: "apr_9" });
      expect(await store().approvals.changeApproval(unknown)).toBe("not_found");
      expect(await store().approvals.changeApproval(approvalChange(randomUUID()))).toBe("not_found");
      expect(await store().approvals.approval(randomUUID(), "apr_1")).toBeNull();
      expect(await ownSize()).toBe(before + 1);
    });

    it("suspends and resumes, each from the version before", async () => {
      const org = await withApprovals({});
      const move = (status: "pending" | "suspended", version: number) =>
        store().approvals.changeApproval(approvalChange(org, { status, version, grant: null }));
      expect(await move("suspended", 1)).toBe("changed");
      expect(await move("suspended", 1)).toBe("moved");
      expect(await move("pending", 2)).toBe("changed");
      expect(await store().approvals.approval(org, "apr_1")).toMatchObject({ status: "pending", version: 3 });
    });

    it("A4: changes none whose time is over, and expires none whose time is not", async () => {
      const org = await withApprovals({});
      const endMs = NOW_MS + 1_000;
      expect(await store().approvals.changeApproval(approvalChange(org, { atMs: endMs }))).toBe("moved");
      const { state } = approvalChange(org);
      const expiry = { org, id: "apr_1", state, auditRow: "{}" };
      expect(await store().approvals.expireApproval({ ...expiry, atMs: endMs - 1 })).toBe("moved");
      expect(await store().approvals.expireApproval({ ...expiry, atMs: endMs })).toBe("changed");
      expect(await store().approvals.expireApproval({ ...expiry, atMs: endMs })).toBe("moved");
      expect(await store().approvals.approval(org, "apr_1")).toMatchObject({ status: "expired" });
      const overdue = await store().approvals.overdue(endMs, 1_000);
      expect(overdue.filter((approval) => approval.org === org)).toEqual([]);
    });

    it("A4: lets one of 20 changes that race take place", async () => {
      const org = await withApprovals({});
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          store().approvals.changeApproval(
            approvalChange(org, n % 2 === 0 ? {} : { status: "denied", grant: null }),
          ),
        ),
      );
      expect(answers.filter((answer) => answer === "changed")).toHaveLength(1);
    });

    it("lists the newest first, in pages, by what is asked for", async () => {
      const at = (ms: number) => ({ atMs: NOW_MS + ms, expiresAtMs: NOW_MS + 1_000 + ms });
      const org = await withApprovals(
        { ...at(1), agentId: "a-1", sessionId: "s-1", tool: "t-1" },
        { ...at(2), agentId: "a-2", namespace: "prod" },
        { ...at(2), agentId: "a-2", sessionId: null },
      );
      const list = async (filter: Partial<ApprovalFilter>, limit = 10, after: string | null = null) => {
        const page = await store().approvals.approvals(org, { ...ALL, ...filter }, { limit, after });
        if (page === "bad_cursor") throw new Error("expected a page");
        return { ids: page.items.map(({ id }) => id), next: page.next };
      };
      expect((await list({})).ids).toEqual(["apr_3", "apr_2", "apr_1"]);
      const first = await list({}, 2);
      expect(first.ids).toEqual(["apr_3", "apr_2"]);
      expect((await list({}, 2, first.next)).ids).toEqual(["apr_1"]);
      expect((await list({ agentId: "a-2" })).ids).toEqual(["apr_3", "apr_2"]);
      expect((await list({ sessionId: "s-1", tool: "t-1" })).ids).toEqual(["apr_1"]);
      expect((await list({ namespaces: ["prod"] })).ids).toEqual(["apr_2"]);
      expect((await list({ agents: ["a-1"] })).ids).toEqual(["apr_1"]);
      expect((await list({ workflowId: "w" })).ids).toEqual([]);
      await store().approvals.changeApproval(approvalChange(org, { id: "apr_2" }));
      expect((await list({ status: "approved" })).ids).toEqual(["apr_2"]);
      const late = { atMs: NOW_MS + 1_001 };
      expect((await list({ status: "pending", ...late })).ids).toEqual(["apr_3"]);
      expect((await list({ status: "expired", ...late })).ids).toEqual(["apr_1"]);
      const bad = await store().approvals.approvals(org, ALL, { limit: 1, after: "x" });
      expect(bad).toBe("bad_cursor");
    });

    it("tells the versions of those that exist", async () => {
      const org = await withApprovals({}, {});
      await store().approvals.changeApproval(approvalChange(org));
      const asked = ["apr_1", "apr_2", "apr_9"].map((id) => ({ org, id }));
      const versions = await store().approvals.versions(asked);
      expect(versions.toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual([
        { org, id: "apr_1", version: 2 },
        { org, id: "apr_2", version: 1 },
      ]);
      expect(await store().approvals.versions([])).toEqual([]);
    });
  });
}
