import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ApprovalClaim } from "../ports/claims.ts";
import { approvalClaim, entry, NOW_MS, reservation } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

export function approvalContract(subject: ContractSubject): void {
  const store = () => subject.store();

  const open = async (org: string, changes: Partial<ApprovalClaim> = {}) =>
    (await store().ledger.commit([entry("{}", { opensApproval: approvalClaim(org, changes) })]))[0];

  describe("Claims: opensApproval", () => {
    it("stores the approval with the row that opened it", async () => {
      const org = randomUUID();
      const outcome = await open(org, { sessionId: null });
      if (outcome?.kind !== "committed") throw new Error(`expected a commit, got ${String(outcome?.kind)}`);
      expect(await store().approvals.approval(org, "apr_1")).toEqual({
        org,
        id: "apr_1",
        callDigest: "call-1",
        agentId: "agent-1",
        sessionId: null,
        tool: "payments.refund",
        position: outcome.position,
        createdAtMs: NOW_MS,
        expiresAtMs: NOW_MS + 1_000,
        status: "pending",
      });
    });

    it("opens one approval of a call at a time, and names it to the repeats of the call", async () => {
      const org = randomUUID();
      const first = await open(org);
      if (first?.kind !== "committed") throw new Error(`expected a commit, got ${String(first?.kind)}`);
      const repeated = { kind: "approval_open", approvalId: "apr_1", position: first.position };
      expect(await open(org, { approvalId: "apr_2" })).toEqual(repeated);
      expect(await store().approvals.approval(org, "apr_2")).toBeNull();
      expect(await open(org, { approvalId: "apr_3", callDigest: "call-2" })).toMatchObject({
        kind: "committed",
      });
      expect(await open(randomUUID())).toMatchObject({ kind: "committed" });
    });

    it("opens another one once the first has expired or was approved", async () => {
      const org = randomUUID();
      await open(org);
      const later = { approvalId: "apr_2", atMs: NOW_MS + 1_000, expiresAtMs: NOW_MS + 2_000 };
      expect(await open(org, later)).toMatchObject({ kind: "committed" });
      expect(await store().approvals.approval(org, "apr_1")).toMatchObject({ status: "expired" });
      const grant = { id: "grant_1", expiresAtMs: NOW_MS * 2 };
      const change = { org, id: "apr_2", grant, atMs: NOW_MS + 1_000, auditRow: "{}" };
      expect(await store().approvals.approve(change)).toBe("approved");
      expect(await open(org, { ...later, approvalId: "apr_3" })).toMatchObject({ kind: "committed" });
    });

    it("is not stored when another claim is refused, and left to the next entry of the batch", async () => {
      const org = randomUUID();
      const session = { org, agentId: "agent-1", sessionId: "session-1" };
      const outcomes = await store().ledger.commit([
        entry("{}", {
          opensApproval: approvalClaim(org),
          reservation: reservation(session, { maxSteps: 0 }),
        }),
        entry("{}", { opensApproval: approvalClaim(org, { approvalId: "apr_2" }) }),
        entry("{}", { opensApproval: approvalClaim(org, { approvalId: "apr_3" }) }),
      ]);
      const [, second] = outcomes;
      const position = second?.kind === "committed" ? second.position : null;
      expect(outcomes).toEqual([
        { kind: "refused", ceiling: "max_steps", usage: { steps: 0, costMicroUsd: 0 } },
        { kind: "committed", position },
        { kind: "approval_open", approvalId: "apr_2", position },
      ]);
      expect(await store().approvals.approval(org, "apr_1")).toBeNull();
      const refused = entry("{}", {
        opensApproval: approvalClaim(org, { approvalId: "apr_4", callDigest: "call-2" }),
        reservation: reservation(session, { maxSteps: 0 }),
      });
      expect(await store().ledger.commit([refused])).toMatchObject([{ kind: "refused" }]);
      expect(await store().approvals.approval(org, "apr_4")).toBeNull();
    });

    it("lets one of 40 rows that race open it", async () => {
      const org = randomUUID();
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, n) => open(org, { approvalId: `apr_${String(n)}` })),
      );
      expect(outcomes.filter((outcome) => outcome?.kind === "committed")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome?.kind === "approval_open")).toHaveLength(39);
    });
  });
}
