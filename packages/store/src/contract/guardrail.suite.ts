import { randomUUID } from "node:crypto";
import type { GuardrailRecord } from "@svc/contract/guardrail";
import { describe, expect, it } from "vitest";
import type { StoredVersion } from "../ports/policy-store.ts";
import { policy } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

const TIME = "2026-01-02T03:04:05.678Z";

function guardrail(id: string, version: number): GuardrailRecord {
  const made = { created_at: TIME, created_by: "key_1", updated_at: TIME, updated_by: "key_1" };
  const definition = { description: null, detectors: ["pii.iban"], patterns: [], allow: [] };
  return { id, version, ...definition, ...made };
}

function guarded(id: string, version: number, ...guardrails: string[]): StoredVersion {
  const stored = policy(id, version);
  return { ...stored, record: { ...stored.record, guardrails }, sealed: `{"sealed":"${guardrails.join()}"}` };
}

/** Guardrails, and the versions of policies that they are part of. */
export function guardrailContract(subject: ContractSubject): void {
  const guardrails = () => subject.store().guardrails;
  const policies = () => subject.store().policies;
  const create = async (org: string, id: string, version = 1) =>
    guardrails().createGuardrail({ org, auditRow: "{}", guardrail: guardrail(id, version) });
  const use = async (org: string, stored: StoredVersion) =>
    policies().createPolicy({ org, auditRow: "{}", policy: stored, binding: null });
  const append = async (org: string, stored: StoredVersion) =>
    policies().appendPolicyVersion({ org, auditRow: "{}", policy: stored, boundAgent: null });
  const update = async (org: string, id: string, version: number, ...users: StoredVersion[]) =>
    guardrails().updateGuardrail({
      org,
      auditRow: "{}",
      guardrail: guardrail(id, version),
      policies: users.map((one) => ({ policy: one, auditRow: "{}" })),
    });
  const remove = async (org: string, id: string, version: number) =>
    guardrails().removeGuardrail({ org, auditRow: "{}", id, version });

  describe("guardrails", () => {
    // proves DSET-07
    it("change with the policies that use them, or not at all", async () => {
      const org = randomUUID();
      expect(await create(org, "pci")).toEqual({ kind: "created" });
      expect(await create(org, "pci")).toEqual({ kind: "existing" });
      expect(await use(org, guarded("p", 1, "pci@1"))).toMatchObject({ kind: "created" });
      const before = (await subject.store().controlFeed.snapshot()).revision;
      expect(await update(org, "pci", 2)).toEqual({ kind: "users_moved" });
      expect(await update(org, "pci", 2, guarded("p", 3, "pci@2"))).toEqual({ kind: "users_moved" });
      expect(await update(org, "pci", 3, guarded("p", 2, "pci@3"))).toEqual({ kind: "moved" });
      expect(await update(org, "none", 2)).toEqual({ kind: "not_found" });
      // What is written before this is found out does not stay.
      expect(await update(org, "pci", 2, guarded("p", 2, "pci@2", "gone@1"))).toEqual({
        kind: "users_moved",
      });
      expect(await guardrails().guardrail(org, "pci")).toMatchObject({ version: 1 });
      const next = guarded("p", 2, "pci@2");
      expect(await update(org, "pci", 2, next)).toEqual({ kind: "updated", revision: before + 1 });
      const events = await subject.store().controlFeed.eventsAfter(before, 10);
      expect(events).toMatchObject([{ org, change: { kind: "policy", version: 2, source: next.sealed } }]);
      expect(await policies().latestPolicy(org, "p")).toMatchObject({
        record: { version: 2, guardrails: ["pci@2"] },
        source: next.source,
        sealed: next.sealed,
      });
      const { changes } = await subject.store().controlFeed.snapshot();
      const own = changes.filter((one) => one.org === org);
      expect(own).toMatchObject([{ change: { version: 2, source: next.sealed, json: next.sealed } }]);
      expect(await guardrails().guardrailVersion(org, "pci", 1)).toMatchObject({ version: 1 });
    });

    // proves DSET-02
    it("are named by policies in their latest version alone", async () => {
      const org = randomUUID();
      const moved = { kind: "guardrail_moved", guardrailId: "pci" };
      expect(await use(org, guarded("p", 1, "pci@1"))).toEqual(moved);
      await create(org, "pci");
      expect(await use(org, guarded("p", 1, "pci@2"))).toEqual(moved);
      expect(await use(org, guarded("p", 1, "pci@1"))).toMatchObject({ kind: "created" });
      expect(await append(org, guarded("p", 2, "pci@7"))).toEqual(moved);
      expect(await use(randomUUID(), guarded("p", 1, "pci@1"))).toEqual(moved);
    });

    // proves DSET-08
    it("are removed when no latest version that is not archived names them", async () => {
      const org = randomUUID();
      await create(org, "pci");
      await use(org, guarded("p", 1, "pci@1"));
      await use(org, guarded("q", 1, "pci@1"));
      expect(await remove(org, "pci", 1)).toEqual({ kind: "in_use", count: 2, policies: ["p", "q"] });
      const move = async (to: "archived" | "enabled" | "disabled") =>
        policies().movePolicy({ org, auditRow: "{}", id: "q", to });
      await move("archived");
      await append(org, policy("p", 2));
      expect(await guardrails().guardedPolicies(org, "pci")).toEqual([]);
      expect(await remove(org, "pci", 2)).toEqual({ kind: "moved" });
      expect(await remove(org, "pci", 1)).toEqual({ kind: "removed" });
      expect(await remove(org, "pci", 1)).toEqual({ kind: "not_found" });
      expect(await move("enabled")).toEqual({ kind: "guardrail_moved", guardrailId: "pci" });
      expect(await move("disabled")).toMatchObject({ kind: "moved" });
      expect(await create(org, "pci")).toEqual({ kind: "version_taken", next: 2 });
      expect(await create(org, "pci", 2)).toEqual({ kind: "created" });
    });

    it("are listed by id, each in its latest version", async () => {
      const org = randomUUID();
      for (const id of ["b", "a", "c"]) await create(org, id);
      await update(org, "b", 2);
      await remove(org, "c", 1);
      const first = await guardrails().guardrails(org, { limit: 1, after: null });
      if (first === "bad_cursor") throw new Error("the first page has no cursor");
      expect(first.items).toMatchObject([{ id: "a", version: 1 }]);
      const second = await guardrails().guardrails(org, { limit: 5, after: first.next });
      expect(second).toMatchObject({ items: [{ id: "b", version: 2 }], next: null });
      expect(await guardrails().everyGuardrail(org)).toMatchObject([{ id: "a" }, { id: "b" }]);
      expect(await guardrails().guardrails(org, { limit: 5, after: "bogus" })).toBe("bad_cursor");
    });
  });
}
