import { randomUUID } from "node:crypto";
import type { PolicyAssignmentRecord, PolicyVersionItem, PolicyVersionRecord } from "@svc/contract/policy";
import { ANY_POLICY } from "@svc/contract/policy-list";
import { describe, expect, it } from "vitest";
import { DEFAULT_STORE_LIMITS } from "../default-limits.ts";
import type { AssignmentFilter } from "../ports/assignment-store.ts";
import { readChain, rowText } from "../testing/expect-chain.ts";
import { assignment, policy } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

const ANY: AssignmentFilter = { policyId: null, agentId: null, namespaceId: null };

/** The state of a policy that nobody has moved or labelled. */
const NEW = { enabled: true, archived: false, labels: {} };

export function policyContract(subject: ContractSubject): void {
  const policies = () => subject.store().policies;
  const revisionNow = async (): Promise<number> => (await subject.store().controlFeed.snapshot()).revision;

  const create = async (org: string, id: string, bound: PolicyAssignmentRecord | null = null) =>
    policies().createPolicy({
      org,
      auditRow: `{"created":"${org}"}`,
      policy: policy(id, 1),
      binding: bound === null ? null : { record: bound, auditRow: `{"assigned":"${org}"}` },
    });

  const append = async (
    org: string,
    { id, version, boundAgent = null }: { id: string; version: number; boundAgent?: string | null },
  ) => policies().appendPolicyVersion({ org, auditRow: "{}", policy: policy(id, version), boundAgent });

  const assign = async (org: string, record: PolicyAssignmentRecord) =>
    subject.store().assignments.assignPolicy({ org, auditRow: "{}", record });

  const bindings = async (org: string): Promise<readonly PolicyAssignmentRecord[]> => {
    const page = await subject.store().assignments.assignments(org, ANY, { limit: 100, after: null });
    if (page === "bad_cursor") throw new Error("the first page has no cursor");
    return page.items;
  };

  describe("PolicyStore", () => {
    // proves VER-01, VER-04
    it("keeps every version as it was written", async () => {
      const org = randomUUID();
      const before = await revisionNow();
      const state = NEW;
      expect(await create(org, "p")).toEqual({ kind: "created", state, revision: before + 1 });
      expect(await create(org, "p")).toEqual({ kind: "id_taken", archived: false });
      expect(await append(org, { id: "p", version: 2 })).toEqual({
        kind: "appended",
        state,
        revision: before + 2,
      });
      const { record, ...text } = policy("p", 2);
      expect(await policies().latestPolicy(org, "p")).toEqual({ ...text, record: { ...record, ...NEW } });
      expect(await policies().policyVersion(org, "p", 1)).toEqual(policy("p", 1));
      expect(await policies().policyVersion(org, "p", 3)).toBeNull();
      expect(await policies().latestPolicy(randomUUID(), "p")).toBeNull();
      expect(await policies().latestPolicy(org, "q")).toBeNull();
    });

    it("lets one of many concurrent writers of a version win", async () => {
      const org = randomUUID();
      await create(org, "p");
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, async () => append(org, { id: "p", version: 2 })),
      );
      expect(outcomes.filter(({ kind }) => kind === "appended")).toHaveLength(1);
      expect(outcomes.filter(({ kind }) => kind === "version_moved")).toHaveLength(9);
      expect(await append(org, { id: "p", version: 2 })).toEqual({ kind: "version_moved", latest: 2 });
      expect(await append(org, { id: "p", version: 9 })).toEqual({ kind: "version_moved", latest: 2 });
      expect(await append(org, { id: "q", version: 2 })).toEqual({ kind: "not_found" });
    });

    // proves POL-05
    it("creates a policy together with its binding, or not at all", async () => {
      const org = randomUUID();
      const bound = assignment("as-1", "p", { agent: "agent-1" });
      const before = await revisionNow();
      expect(await create(org, "p", bound)).toMatchObject({ kind: "created", revision: before + 2 });
      expect(await create(org, "q", assignment("as-2", "q", { agent: "agent-1" }))).toEqual({
        kind: "already_bound",
        existing: bound,
      });
      expect(await policies().latestPolicy(org, "q")).toBeNull();
      const events = await subject.store().controlFeed.eventsAfter(before, 10);
      expect(events.map(({ revision, change }) => [revision, change.kind])).toEqual([
        [before + 1, "policy"],
        [before + 2, "assignment"],
      ]);
      expect(events[0]?.change).toMatchObject({
        policyId: "p",
        enabled: true,
        source: policy("p", 1).source,
      });
    });

    // proves POL-39
    it("writes an audit row for the policy and one for its binding", async () => {
      const org = randomUUID();
      await create(org, "p", assignment("as-1", "p", { agent: "agent-1" }));
      const { audit, logId } = subject.store();
      const rows = (await readChain(audit, logId)).map(rowText).filter((row) => row.includes(org));
      expect(rows).toEqual([`{"created":"${org}"}`, `{"assigned":"${org}"}`]);
    });

    // proves POL-38
    it("keeps every binding from version to version, whatever the versions name", async () => {
      const org = randomUUID();
      const documents = assignment("as-1", "p", { agent: "agent-1" });
      const operators = [
        assignment("as-2", "p", { agent: "agent-2" }),
        assignment("as-3", "p", { namespace: "prod" }),
      ];
      await create(org, "p", documents);
      for (const record of operators) await assign(org, record);
      const before = await revisionNow();
      const named = [null, "agent-1", "agent-2"];
      for (const [index, boundAgent] of named.entries()) {
        const appended = await append(org, { id: "p", version: index + 2, boundAgent });
        expect([boundAgent, appended.kind]).toEqual([boundAgent, "appended"]);
        expect(await bindings(org)).toEqual([documents, ...operators]);
      }
      const events = await subject.store().controlFeed.eventsAfter(before, 10);
      expect(events.map(({ change }) => change.kind)).toEqual(["policy", "policy", "policy"]);
    });

    // proves POL-38
    it("refuses a version that names an agent of another policy or of none, and writes nothing", async () => {
      const org = randomUUID();
      const bound = assignment("as-1", "p", { agent: "agent-1" });
      await create(org, "p", bound);
      await create(org, "q");
      const before = await revisionNow();
      expect(await append(org, { id: "q", version: 2, boundAgent: "agent-1" })).toEqual({
        kind: "not_bound",
        existing: bound,
      });
      expect(await append(org, { id: "p", version: 2, boundAgent: "agent-2" })).toEqual({
        kind: "not_bound",
        existing: null,
      });
      expect((await policies().latestPolicy(org, "q"))?.record.version).toBe(1);
      expect(await revisionNow()).toBe(before);
      expect(await bindings(org)).toEqual([bound]);
    });

    // proves POL-38
    it("decides a race between an update that names an agent and the end of its binding once", async () => {
      const org = randomUUID();
      await create(org, "p", assignment("as-1", "p", { agent: "agent-1" }));
      const [appended, removed] = await Promise.all([
        append(org, { id: "p", version: 2, boundAgent: "agent-1" }),
        subject.store().assignments.unassignPolicy({ org, auditRow: "{}", id: "as-1" }),
      ]);
      expect(removed.kind).toBe("unassigned");
      expect(["appended", "not_bound"]).toContain(appended.kind);
      expect(await bindings(org)).toEqual([]);
    });

    it("lists policies by id and versions newest first, page by page", async () => {
      const org = randomUUID();
      for (const id of ["b", "B", "a", "_", "c"]) await create(org, id);
      for (const version of [2, 3]) await append(org, { id: "b", version });
      const first = await policies().policies(org, ANY_POLICY, { limit: 3, after: null });
      if (first === "bad_cursor") throw new Error("the first page has no cursor");
      expect(first.items.map(({ id, version }) => [id, version])).toEqual([
        ["B", 1],
        ["_", 1],
        ["a", 1],
      ]);
      expect(await policies().policies(org, ANY_POLICY, { limit: 3, after: first.next })).toMatchObject({
        items: [{ id: "b", version: 3 }, { id: "c" }],
        next: null,
      });
      const versions = await policies().policyVersions(org, "b", { limit: 2, after: null });
      if (versions === "bad_cursor") throw new Error("the first page has no cursor");
      expect(versions.items.map(({ version }) => version)).toEqual([3, 2]);
      expect(await policies().policyVersions(org, "b", { limit: 2, after: versions.next })).toEqual({
        items: [withoutDocument(policy("b", 1).record)],
        next: null,
      });
    });

    it("stops at the limit of policies, per organization", async () => {
      const place = await subject.newPlace();
      const store = await place.open({ limits: { ...DEFAULT_STORE_LIMITS, policies: 1 } });
      const add = async (org: string, id: string) =>
        store.policies.createPolicy({ org, auditRow: "{}", policy: policy(id, 1), binding: null });
      expect(await add("org", "p")).toMatchObject({ kind: "created" });
      expect(await add("org", "q")).toEqual({ kind: "too_many" });
      expect(await add("other", "p")).toMatchObject({ kind: "created" });
      await store.close();
      await place.remove();
    });
  });

  describe("ControlFeedStore", () => {
    it("carries the latest version of a policy as JSON, too", async () => {
      const org = randomUUID();
      await create(org, "p");
      await append(org, { id: "p", version: 2 });
      const { changes } = await subject.store().controlFeed.snapshot();
      const { source, record } = policy("p", 2);
      const json = JSON.stringify(record.document);
      expect(changes.filter((each) => each.org === org)).toEqual([
        { org, change: { kind: "policy", policyId: "p", version: 2, enabled: true, source, json } },
      ]);
    });

    it("S1: revisions stay contiguous while many change control state at once", async () => {
      const org = randomUUID();
      const before = await revisionNow();
      await Promise.all(
        Array.from({ length: 15 }, async (_, n) => {
          const id = `p-${String(n)}`;
          await create(org, id, assignment(`as-${id}`, id, { agent: id }));
        }),
      );
      const events = await subject.store().controlFeed.eventsAfter(before, 100);
      expect(events.map(({ revision }) => revision - before)).toEqual(
        Array.from({ length: 30 }, (_, n) => n + 1),
      );
    });
  });
}

function withoutDocument({ document: _document, ...item }: PolicyVersionRecord): PolicyVersionItem {
  return item;
}
