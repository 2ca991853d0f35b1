import { randomUUID } from "node:crypto";
import type { PolicyAssignmentRecord } from "@svc/contract/policy";
import { describe, expect, it } from "vitest";
import type { AssignmentFilter } from "../ports/assignment-store.ts";
import { assignment, policy } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

const ANY: AssignmentFilter = { policyId: null, agentId: null, namespaceId: null };

export function assignmentContract(subject: ContractSubject): void {
  const assignments = () => subject.store().assignments;

  const create = async (org: string, id: string, bound: PolicyAssignmentRecord | null = null) =>
    subject.store().policies.createPolicy({
      org,
      auditRow: "{}",
      policy: policy(id, 1),
      binding: bound === null ? null : { record: bound, auditRow: "{}" },
    });

  const assign = async (org: string, record: PolicyAssignmentRecord) =>
    assignments().assignPolicy({ org, auditRow: "{}", record });

  describe("AssignmentStore", () => {
    // proves POL-05
    it("binds an agent and a namespace once each", async () => {
      const org = randomUUID();
      await create(org, "p");
      await create(org, "q");
      for (const target of [{ agent: "one" }, { namespace: "one" }]) {
        const record = assignment(`as-${Object.keys(target).join()}`, "p", target);
        expect(await assign(org, record)).toMatchObject({ kind: "assigned" });
        expect(await assign(org, { ...record, id: "again" })).toEqual({ kind: "existing", record });
        expect(await assign(org, { ...record, id: "other", policy_id: "q" })).toEqual({
          kind: "already_bound",
          existing: record,
        });
      }
      expect(await assignments().assignments(org, ANY, { limit: 100, after: null })).toMatchObject({
        items: { length: 2 },
      });
      expect(await assign(org, assignment("as-9", "none", { agent: "two" }))).toEqual({
        kind: "policy_not_found",
      });
      expect(await assign(randomUUID(), assignment("as-9", "p", { agent: "two" }))).toEqual({
        kind: "policy_not_found",
      });
    });

    it("binds an agent once when two policies race for it", async () => {
      const org = randomUUID();
      const ids = Array.from({ length: 8 }, (_, n) => `p-${String(n)}`);
      for (const id of ids) await create(org, id);
      const outcomes = await Promise.all(
        ids.map(async (id) => assign(org, assignment(`as-${id}`, id, { agent: "agent-1" }))),
      );
      expect(outcomes.filter(({ kind }) => kind === "assigned")).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === "already_bound")).toHaveLength(7);
    });

    it("lists those that every filter names", async () => {
      const org = randomUUID();
      for (const id of ["p", "q"]) await create(org, id);
      const all = [
        assignment("as-1", "p", { agent: "a" }),
        assignment("as-2", "p", { namespace: "n" }),
        assignment("as-3", "q", { agent: "b" }),
      ];
      for (const record of all) await assign(org, record);
      const list = async (filter: Partial<AssignmentFilter>, limit = 100, after: string | null = null) => {
        const found = await assignments().assignments(org, { ...ANY, ...filter }, { limit, after });
        if (found === "bad_cursor") throw new Error("the cursor is that of the page before");
        return { ids: found.items.map(({ id }) => id), next: found.next };
      };
      expect((await list({})).ids).toEqual(["as-1", "as-2", "as-3"]);
      expect((await list({ policyId: "p" })).ids).toEqual(["as-1", "as-2"]);
      expect((await list({ agentId: "b" })).ids).toEqual(["as-3"]);
      expect((await list({ namespaceId: "n" })).ids).toEqual(["as-2"]);
      expect((await list({ policyId: "q", agentId: "a" })).ids).toEqual([]);
      const first = await list({ policyId: "p" }, 1);
      expect([first.ids, (await list({ policyId: "p" }, 1, first.next)).ids]).toEqual([["as-1"], ["as-2"]]);
    });

    it("unbinds, so that the target can be bound anew", async () => {
      const org = randomUUID();
      const record = assignment("as-1", "p", { agent: "agent-1" });
      await create(org, "p", record);
      const unassign = async (from: string) =>
        assignments().unassignPolicy({ org: from, auditRow: "{}", id: "as-1" });
      expect(await unassign(randomUUID())).toEqual({ kind: "not_found" });
      expect(await unassign(org)).toMatchObject({ kind: "unassigned", record });
      expect(await unassign(org)).toEqual({ kind: "not_found" });
      expect(await assignments().assignment(org, "as-1")).toBeNull();
      expect(await assign(org, { ...record, id: "as-2" })).toMatchObject({ kind: "assigned" });
      expect(await assignments().assignment(org, "as-2")).toEqual({ ...record, id: "as-2" });
    });
  });
}
