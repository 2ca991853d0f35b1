import { randomUUID } from "node:crypto";
import { ANY_POLICY, type PolicyFilter } from "@svc/contract/policy-list";
import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import type { PolicyStanding } from "../ports/policy-store.ts";
import { readChain, rowText } from "../testing/expect-chain.ts";
import { assignment, policy } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

/** What operators set beside the document of a policy, and how policies are found. */
export function policyStateContract(subject: ContractSubject): void {
  const policies = () => subject.store().policies;
  const create = async (org: string, id: string, document: JsonObject = {}, name: string | null = null) => {
    const stored = policy(id, 1);
    const record = { ...stored.record, name, document: { ...stored.record.document, ...document } };
    return policies().createPolicy({ org, auditRow: "{}", policy: { ...stored, record }, binding: null });
  };
  const move = async (org: string, id: string, to: PolicyStanding) =>
    policies().movePolicy({ org, auditRow: `{"to":"${to} ${org}"}`, id, to });
  const label = async (org: string, id: string, labels: Record<string, string | null>) =>
    policies().labelPolicy({ org, auditRow: `{"labels":"${org}"}`, id, labels });
  const assign = async (org: string, id: string, target: { agent: string } | { namespace: string }) =>
    subject.store().assignments.assignPolicy({
      org,
      auditRow: "{}",
      record: assignment(`as-${JSON.stringify(target)}`, id, target),
    });
  const append = async (org: string, id: string, version: number) =>
    policies().appendPolicyVersion({ org, auditRow: "{}", policy: policy(id, version), boundAgent: null });
  const found = async (org: string, filter: Partial<PolicyFilter>): Promise<string[]> => {
    const page = await policies().policies(org, { ...ANY_POLICY, ...filter }, { limit: 100, after: null });
    if (page === "bad_cursor") throw new Error("the first page has no cursor");
    return page.items.map(({ id }) => id);
  };

  describe("the state of a policy", () => {
    // proves POL-36, POL-68
    it("moves, is announced and audited, and is kept from version to version", async () => {
      const org = randomUUID();
      await create(org, "p");
      const before = (await subject.store().controlFeed.snapshot()).revision;
      expect(await move(org, "p", "disabled")).toMatchObject({
        kind: "moved",
        revision: before + 1,
        policy: { record: { enabled: false, archived: false, version: 1 } },
      });
      expect(await move(org, "p", "disabled")).toMatchObject({ kind: "unchanged", revision: before + 1 });
      expect(await append(org, "p", 2)).toMatchObject({ kind: "appended", state: { enabled: false } });
      expect(await move(org, "p", "enabled")).toMatchObject({
        policy: { record: { enabled: true, version: 2 } },
      });
      expect(await move(org, "p", "archived")).toMatchObject({
        policy: { record: { enabled: false, archived: true } },
      });
      const events = await subject.store().controlFeed.eventsAfter(before, 10);
      expect(
        events.map(({ change }) => (change.kind === "policy" ? [change.version, change.enabled] : [])),
      ).toEqual([
        [1, false],
        [2, false],
        [2, true],
        [2, false],
      ]);
      const { changes } = await subject.store().controlFeed.snapshot();
      expect(changes.filter((each) => each.org === org)).toMatchObject([
        { change: { version: 2, enabled: false } },
      ]);
      const { audit, logId } = subject.store();
      const rows = (await readChain(audit, logId)).map(rowText).filter((row) => row.includes(org));
      expect(rows).toEqual(["disabled", "enabled", "archived"].map((to) => `{"to":"${to} ${org}"}`));
      expect(await move(org, "q", "disabled")).toEqual({ kind: "not_found" });
      expect(await move(randomUUID(), "p", "enabled")).toEqual({ kind: "not_found" });
    });

    // proves POL-68
    it("is not archived while it is assigned; archived, it keeps its id and never changes", async () => {
      const org = randomUUID();
      await create(org, "p");
      await assign(org, "p", { agent: "a" });
      await assign(org, "p", { namespace: "n" });
      expect(await move(org, "p", "archived")).toEqual({
        kind: "assigned",
        count: 2,
        assignments: ['as-{"agent":"a"}', 'as-{"namespace":"n"}'],
      });
      await create(org, "q");
      expect(await move(org, "q", "archived")).toMatchObject({ kind: "moved" });
      expect(await create(org, "q")).toEqual({ kind: "id_taken", archived: true });
      expect(await append(org, "q", 2)).toEqual({ kind: "archived" });
      expect(await assign(org, "q", { agent: "b" })).toEqual({ kind: "policy_archived" });
      expect(await move(org, "q", "enabled")).toMatchObject({ kind: "moved" });
      expect(await append(org, "q", 2)).toMatchObject({ kind: "appended", state: { archived: false } });
    });

    // proves POL-68
    it("decides a race between archiving and assigning once", async () => {
      const org = randomUUID();
      await create(org, "p");
      const [moved, assigned] = await Promise.all([
        move(org, "p", "archived"),
        assign(org, "p", { agent: "a" }),
      ]);
      const isAssigned = assigned.kind === "assigned";
      expect(moved.kind).toBe(isAssigned ? "assigned" : "moved");
      expect((await policies().latestPolicy(org, "p"))?.record.archived).toBe(!isAssigned);
    });

    it("keeps labels until they are removed, and announces none", async () => {
      const org = randomUUID();
      await create(org, "p");
      const before = (await subject.store().controlFeed.snapshot()).revision;
      expect(await label(org, "p", { team: "x", tier: "1" })).toMatchObject({ kind: "labelled" });
      expect(await label(org, "p", { team: "y", tier: null })).toMatchObject({
        policy: { record: { labels: { team: "y" } } },
      });
      await append(org, "p", 2);
      expect((await policies().latestPolicy(org, "p"))?.record.labels).toEqual({ team: "y" });
      const many = Object.fromEntries(Array.from({ length: 32 }, (_, at) => [`k${String(at)}`, ""]));
      expect(await label(org, "p", many)).toEqual({ kind: "too_many", count: 33 });
      expect(await label(org, "q", { a: "b" })).toEqual({ kind: "not_found" });
      expect((await subject.store().controlFeed.snapshot()).revision).toBe(before + 1);
    });
  });

  describe("a list of policies", () => {
    // proves POL-62
    it("shows those that a filter lets pass", async () => {
      const org = randomUUID();
      await create(org, "shadowed", { governance_mode: "shadow" });
      await create(org, "Named", {}, "\u00c4rger 100%_\\");
      await create(org, "off");
      await create(org, "old");
      await assign(org, "Named", { namespace: "n" });
      await assign(org, "off", { agent: "a" });
      await move(org, "off", "disabled");
      await move(org, "old", "archived");
      await label(org, "off", { team: "Pay" });
      const all = ["Named", "off", "old", "shadowed"];
      expect(await found(org, {})).toEqual(all);
      expect(await found(org, { mode: "shadow" })).toEqual(["shadowed"]);
      expect(await found(org, { mode: "enforcement" })).toEqual(["Named", "off", "old"]);
      expect(await found(org, { enabled: false })).toEqual(["off", "old"]);
      expect(await found(org, { archived: false, enabled: false })).toEqual(["off"]);
      expect(await found(org, { archived: true })).toEqual(["old"]);
      expect(await found(org, { namespace: "n" })).toEqual(["Named"]);
      expect(await found(org, { agent: "a" })).toEqual(["off"]);
      expect(await found(org, { agent: "n" })).toEqual([]);
      expect(await found(org, { agent: "a", namespace: "n" })).toEqual([]);
      expect(await found(randomUUID(), {})).toEqual([]);
    });

    // proves POL-62
    it.each([
      ["named", ["Named"]],
      ["\u00e4RGER", ["Named"]],
      ["A\u0308rger", ["Named"]],
      ["%", ["Named"]],
      ["_\\", ["Named"]],
      ["o_", []],
      ["team=pay", ["off"]],
      ["TEAM", ["off"]],
      ["' OR 1=1 --", []],
      ['"', []],
      ["\u{1f512}", []],
    ])("finds %j as a text and not as a pattern", async (text, wanted) => {
      const org = randomUUID();
      await create(org, "Named", {}, "\u00c4rger 100%_\\");
      await create(org, "off");
      await label(org, "off", { team: "Pay" });
      expect(await found(org, { text })).toEqual(wanted);
    });

    it("goes on where a page of a filtered list ended", async () => {
      const org = randomUUID();
      for (const id of ["a", "b", "c", "d", "e"]) await create(org, id);
      for (const id of ["b", "d", "e"]) await move(org, id, "disabled");
      const filter = { ...ANY_POLICY, enabled: false };
      const first = await policies().policies(org, filter, { limit: 2, after: null });
      if (first === "bad_cursor") throw new Error("the first page has no cursor");
      expect(first.items.map(({ id }) => id)).toEqual(["b", "d"]);
      expect(await policies().policies(org, filter, { limit: 2, after: first.next })).toMatchObject({
        items: [{ id: "e", enabled: false, mode: "enforcement" }],
        next: null,
      });
    });
  });
}
