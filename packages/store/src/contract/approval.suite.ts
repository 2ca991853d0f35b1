import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ApprovalClaim } from "../ports/claims.ts";
import { approvalChange, approvalClaim, counters, entry, NOW_MS } from "../testing/records.ts";
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
        binding: "call-1",
        namespace: "default",
        agentId: "agent-1",
        sessionId: null,
        tool: "payments.refund",
        policyId: "payments",
        policyVersion: 3,
        ruleId: "large-refunds",
        workflowId: null,
        requestedBy: "key-1",
        position: outcome.position,
        createdAtMs: NOW_MS,
        expiresAtMs: NOW_MS + 1_000,
        status: "pending",
        version: 1,
        state: {
          workflow: null,
          votes: [],
          proposal: null,
          end: null,
          holdsFor: { scope: "session", covers: [] },
          revoked: null,
        },
      });
    });

    it("opens one approval of a binding at a time, and names it to the repeats of the call", async () => {
      const org = randomUUID();
      const first = await open(org);
      if (first?.kind !== "committed") throw new Error(`expected a commit, got ${String(first?.kind)}`);
      const repeated = { kind: "approval_open", approvalId: "apr_1", position: first.position };
      expect(await open(org, { approvalId: "apr_2" })).toEqual(repeated);
      expect(await store().approvals.approval(org, "apr_2")).toBeNull();
      expect(await open(org, { approvalId: "apr_3", binding: "call-2" })).toMatchObject({
        kind: "committed",
      });
      expect(await open(randomUUID())).toMatchObject({ kind: "committed" });
    });

    it("opens another one once the first has expired, whose end is then to be written down", async () => {
      const org = randomUUID();
      await open(org);
      const later = { approvalId: "apr_2", atMs: NOW_MS + 1_000, expiresAtMs: NOW_MS + 2_000 };
      expect(await open(org, later)).toMatchObject({ kind: "committed" });
      expect(await store().approvals.approval(org, "apr_1")).toMatchObject({ status: "expired" });
      const overdue = await store().approvals.overdue(NOW_MS + 1_000, 100);
      expect(overdue.filter((approval) => approval.org === org)).toMatchObject([{ id: "apr_1" }]);
    });

    it("names an unused grant instead, to every key but those that approved", async () => {
      const org = randomUUID();
      await open(org);
      expect(await store().approvals.changeApproval(approvalChange(org))).toBe("changed");
      const again = { approvalId: "apr_2" };
      expect(await open(org, again)).toEqual({ kind: "granted", approvalId: "apr_1" });
      expect(await open(org, { ...again, binding: "call-2" })).toMatchObject({ kind: "committed" });
      const approver = { approvalId: "apr_3", requestedBy: "key-2" };
      expect(await open(org, approver)).toMatchObject({ kind: "committed" });
      expect(await open(randomUUID(), again)).toMatchObject({ kind: "committed" });
    });

    it("opens another one when the grant is used or has expired", async () => {
      const org = randomUUID();
      await open(org);
      await store().approvals.changeApproval(approvalChange(org));
      expect(await open(org, { approvalId: "apr_2", atMs: NOW_MS + 1 })).toMatchObject({ kind: "committed" });
      const usesGrant = { org, approvalId: "apr_1", binding: "call-1", atMs: NOW_MS };
      const uses = await store().ledger.commit([entry("{}", { usesGrant })]);
      expect(uses).toMatchObject([{ kind: "committed" }]);
      expect(await open(org, { approvalId: "apr_3" })).toMatchObject({ kind: "approval_open" });
    });

    it("takes expiry and approvers from the workflow of the moment, and needs it to be there", async () => {
      const org = randomUUID();
      const named = { workflowId: "finance" };
      expect(await open(org, named)).toEqual({ kind: "workflow_missing" });
      const workflow = {
        id: "finance",
        version: 1,
        name: null,
        required: 2,
        approvers: { roles: null, keys: null },
        expires_in_seconds: 60,
        channels: [],
        on_expiry: "deny",
        created_at: "2026-01-02T03:04:05.678Z",
        created_by: "key-1",
        updated_at: "2026-01-02T03:04:05.678Z",
        updated_by: "key-1",
      } as const;
      const created = { org, auditRow: "{}", workflow: { ...workflow, channels: [] } };
      expect(await store().approvalWorkflows.createWorkflow(created)).toBe("created");
      expect(await open(org, named)).toMatchObject({ kind: "committed" });
      expect(await store().approvals.approval(org, "apr_1")).toMatchObject({
        workflowId: "finance",
        expiresAtMs: NOW_MS + 60_000,
        state: { workflow },
      });
    });

    it("is refused when as many are open as may be; those whose time is over do not count", async () => {
      const org = randomUUID();
      const of = (n: number) => ({
        approvalId: `apr_${String(n)}`,
        binding: `call-${String(n)}`,
        maxOpen: { organization: 2, agent: 2, key: 2 },
      });
      const claims = [1, 2, 3].map((n) => entry("{}", { opensApproval: approvalClaim(org, of(n)) }));
      expect(await store().ledger.commit(claims)).toMatchObject([
        { kind: "committed" },
        { kind: "committed" },
        { kind: "approvals_full", of: "organization" },
      ]);
      expect(await open(org, of(4))).toEqual({ kind: "approvals_full", of: "organization" });
      expect(await open(org, of(1))).toMatchObject({ kind: "approval_open" });
      const later = { atMs: NOW_MS + 1_000, expiresAtMs: NOW_MS + 2_000 };
      expect(await open(org, { ...of(4), ...later })).toMatchObject({ kind: "committed" });
    });

    it.each([
      { of: "agent", others: { agentId: "agent-2" } },
      { of: "key", others: { requestedBy: "key-3" } },
    ] as const)("is refused when its $of has its share, and others still get theirs", async (row) => {
      const org = randomUUID();
      const maxOpen = { organization: 10, agent: 10, key: 10, [row.of]: 2 };
      const of = (n: number) => ({ approvalId: `apr_${String(n)}`, binding: `call-${String(n)}`, maxOpen });
      const claims = [1, 2, 3].map((n) => entry("{}", { opensApproval: approvalClaim(org, of(n)) }));
      const full = { kind: "approvals_full", of: row.of };
      expect(await store().ledger.commit(claims)).toMatchObject([
        { kind: "committed" },
        { kind: "committed" },
        full,
      ]);
      expect(await open(org, of(4))).toEqual(full);
      expect(await open(org, { ...of(4), ...row.others })).toMatchObject({ kind: "committed" });
    });

    it("is not stored when another claim is refused, and left to the next entry of the batch", async () => {
      const org = randomUUID();
      const session = { org, agentId: "agent-1", sessionId: "session-1" };
      const outcomes = await store().ledger.commit([
        entry("{}", {
          opensApproval: approvalClaim(org),
          counters: counters(session, { maxSteps: 0 }),
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
        opensApproval: approvalClaim(org, { approvalId: "apr_4", binding: "call-2" }),
        counters: counters(session, { maxSteps: 0 }),
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
