import { randomUUID } from "node:crypto";
import type { NamespaceRecord } from "@svc/contract/namespace";
import { DEFAULT_ROGUE_DETECTION } from "@svc/contract/rogue-detection";
import { describe, expect, it } from "vitest";
import { DEFAULT_STORE_LIMITS } from "../default-limits.ts";
import type { StoredKey } from "../ports/key-store.ts";
import { readChain, rowText } from "../testing/expect-chain.ts";
import { apiKey, assignment, killSwitch, policy } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

const TIME = "2026-01-02T03:04:05.678Z";
const LATER = "2026-01-03T03:04:05.678Z";

const DEFAULT: NamespaceRecord = {
  id: "default",
  name: "default",
  description: null,
  created_at: null,
  created_by: null,
  updated_at: null,
};

function namespace(id: string) {
  const times = { created_at: TIME, created_by: "author", updated_at: TIME };
  return { id, name: `Name of ${id} \u00e9`, description: null, ...times };
}

export function namespaceContract(subject: ContractSubject): void {
  const namespaces = () => subject.store().namespaces;
  const create = async (org: string, id: string) =>
    namespaces().createNamespace({ org, auditRow: `{"created":"${org}"}`, record: namespace(id) });
  const remove = async (org: string, id: string) =>
    namespaces().removeNamespace({ org, id, auditRow: `{"removed":"${org}"}` });
  const auditRows = async (org: string): Promise<readonly string[]> => {
    const { audit, logId } = subject.store();
    return (await readChain(audit, logId)).map(rowText).filter((row) => row.includes(org));
  };

  describe("NamespaceStore", () => {
    it("creates a namespace once, with one audit row and no control event", async () => {
      const org = randomUUID();
      const before = (await subject.store().controlFeed.snapshot()).revision;
      const outcomes = await Promise.all(Array.from({ length: 8 }, async () => create(org, "prod")));
      expect(outcomes.filter(({ kind }) => kind === "created")).toHaveLength(1);
      expect(await create(org, "prod")).toEqual({ kind: "existing", record: namespace("prod") });
      expect(await namespaces().namespace(org, "prod")).toEqual(namespace("prod"));
      expect(await namespaces().namespace(randomUUID(), "prod")).toBeNull();
      expect(await auditRows(org)).toEqual([`{"created":"${org}"}`]);
      expect(await subject.store().controlFeed.eventsAfter(before, 10)).toEqual([]);
    });

    it("changes what an update names and leaves the rest", async () => {
      const org = randomUUID();
      await create(org, "prod");
      const update = async (id: string, changed: { name?: string; description?: string | null }) =>
        namespaces().updateNamespace({ org, id, update: changed, updatedAt: LATER, auditRow: "{}" });
      const described = { ...namespace("prod"), description: "live", updated_at: LATER };
      expect(await update("prod", { description: "live" })).toEqual({ kind: "updated", record: described });
      expect(await update("prod", { name: "P" })).toMatchObject({ record: { ...described, name: "P" } });
      expect(await update("prod", { description: null })).toMatchObject({ record: { description: null } });
      expect(await update("none", { name: "P" })).toEqual({ kind: "not_found" });
    });

    it("has the namespace default in every organization, changeable and permanent", async () => {
      const org = randomUUID();
      expect(await namespaces().namespace(org, "default")).toEqual(DEFAULT);
      expect(await create(org, "default")).toEqual({ kind: "existing", record: DEFAULT });
      expect(await remove(org, "default")).toEqual({ kind: "permanent" });
      const update = { description: "everything else" };
      const changed = { org, id: "default", update, updatedAt: LATER, auditRow: "{}" };
      const record = { ...DEFAULT, ...update, updated_at: LATER };
      expect(await namespaces().updateNamespace(changed)).toEqual({ kind: "updated", record });
      expect(await namespaces().namespace(org, "default")).toEqual(record);
      expect(await remove(org, "default")).toEqual({ kind: "permanent" });
    });

    it.each([false, true])(
      "lists by id, the namespace default in its place (changed: %j)",
      async (changed) => {
        const org = randomUUID();
        for (const id of ["z", "a", "Z", "e"]) await create(org, id);
        const update = { name: "Default" };
        const change = { org, id: "default", update, updatedAt: LATER, auditRow: "{}" };
        if (changed) await namespaces().updateNamespace(change);
        for (const limit of [1, 2, 3, 5, 9]) {
          const found: string[] = [];
          let after: string | null = null;
          do {
            const page = await namespaces().namespaces(org, { limit, after });
            if (page === "bad_cursor") throw new Error("the cursor is that of the page before");
            expect(page.items.length).toBeLessThanOrEqual(limit);
            found.push(...page.items.map(({ id }) => id));
            after = page.next;
          } while (after !== null);
          expect(found).toEqual(["Z", "a", "default", "e", "z"]);
        }
        expect(await namespaces().namespaces(org, { limit: 1, after: "x" })).toBe("bad_cursor");
      },
    );

    it("removes what nothing names, with its settings", async () => {
      const org = randomUUID();
      await create(org, "prod");
      const stored = { settings: DEFAULT_ROGUE_DETECTION, updatedAt: TIME, updatedBy: "author" };
      await namespaces().putRogueDetection({ org, id: "prod", stored, auditRow: "{}" });
      expect(await remove(randomUUID(), "prod")).toEqual({ kind: "not_found" });
      expect(await remove(org, "prod")).toEqual({ kind: "removed", record: namespace("prod") });
      expect(await remove(org, "prod")).toEqual({ kind: "not_found" });
      await create(org, "prod");
      expect(await namespaces().rogueDetection(org, "prod")).toEqual({ kind: "found", stored: null });
    });

    it("shows the settings of every namespace that has some, of every organization", async () => {
      const [one, other] = [randomUUID(), randomUUID()];
      const settingsOf = async () => {
        const all = await namespaces().everyRogueDetection();
        return all.filter(({ org }) => org === one || org === other);
      };
      await create(one, "prod");
      await create(one, "bare");
      const stored = { settings: DEFAULT_ROGUE_DETECTION, updatedAt: TIME, updatedBy: "author" };
      await namespaces().putRogueDetection({ org: one, id: "prod", stored, auditRow: "{}" });
      await namespaces().putRogueDetection({ org: other, id: "default", stored, auditRow: "{}" });
      const settings = JSON.stringify(DEFAULT_ROGUE_DETECTION);
      const expected = [
        { org: one, namespace: "prod", settings },
        { org: other, namespace: "default", settings },
      ];
      expect(await settingsOf()).toEqual(expect.arrayContaining(expected));
      await remove(one, "prod");
      expect(await settingsOf()).toEqual(expected.slice(1));
    });

    it("keeps what an assignment or an active switch names, and says which", async () => {
      const org = randomUUID();
      await create(org, "prod");
      const { policies, assignments, killSwitches } = subject.store();
      await policies.createPolicy({ org, auditRow: "{}", policy: policy("p", 1), binding: null });
      await assignments.assignPolicy({
        org,
        auditRow: "{}",
        record: assignment("as-1", "p", { namespace: "prod" }),
      });
      const record = killSwitch("ks-1", { scope: "namespace", target_id: "prod" });
      await killSwitches.activateKillSwitch({ org, auditRow: "{}", record });
      expect(await remove(org, "prod")).toEqual({
        kind: "in_use",
        use: { assignments: ["as-1"], killSwitches: ["ks-1"], agents: [], keys: [] },
      });
      await assignments.unassignPolicy({ org, auditRow: "{}", id: "as-1" });
      expect(await remove(org, "prod")).toMatchObject({ use: { assignments: [], killSwitches: ["ks-1"] } });
      const ended = { id: "ks-1", endedAt: TIME, endedBy: "operator", reason: "over" };
      await killSwitches.endKillSwitch({ org, auditRow: "{}", ...ended });
      expect(await remove(org, "prod")).toMatchObject({ kind: "removed" });
      expect((await auditRows(org)).filter((row) => row.includes("removed"))).toHaveLength(1);
    });

    it("keeps what a key is bound to, until the key is revoked", async () => {
      const org = randomUUID();
      const { keys } = subject.store();
      const by = { auditRow: "{}", actor: null, at: TIME };
      const bind = async (bound: readonly string[] | null, changes: Partial<StoredKey> = {}) => {
        const key = apiKey(randomUUID(), { org, namespaces: bound, ...changes });
        await keys.createKey({ ...by, org: key.org, key });
        return key.id;
      };
      for (const id of ["prod", "p_od", "other"]) await create(org, id);
      const first = await bind(["stage", "prod"]);
      const second = await bind(["prod"]);
      await bind(null, { name: '"prod"' });
      await bind(["prod/eu"], { agents: ["prod"] });
      await bind(["prod"], { org: randomUUID() });
      const use = { assignments: [], killSwitches: [], agents: [], keys: [first, second].toSorted() };
      expect(await remove(org, "prod")).toEqual({ kind: "in_use", use });
      expect(await remove(org, "p_od")).toMatchObject({ kind: "removed" });
      for (const id of [first, second]) await keys.revokeKey({ ...by, org, id, revokedBy: "operator" });
      expect(await remove(org, "prod")).toMatchObject({ kind: "removed" });
    });

    it("does not take switches and assignments of other targets for uses", async () => {
      const org = randomUUID();
      await create(org, "prod");
      const { killSwitches } = subject.store();
      const agent = killSwitch("ks-1", { scope: "agent", target_id: "prod" });
      await killSwitches.activateKillSwitch({ org, auditRow: "{}", record: agent });
      const longer = killSwitch("ks-2", { scope: "namespace", target_id: "prod/eu" });
      await killSwitches.activateKillSwitch({ org, auditRow: "{}", record: longer });
      const foreign = killSwitch("ks-3", { scope: "namespace", target_id: "prod" });
      await killSwitches.activateKillSwitch({ org: randomUUID(), auditRow: "{}", record: foreign });
      expect(await remove(org, "prod")).toMatchObject({ kind: "removed" });
    });

    it("keeps the settings of rogue detection, for namespaces that are there", async () => {
      const org = randomUUID();
      const settings = {
        ...DEFAULT_ROGUE_DETECTION,
        orphan_detection: { ...DEFAULT_ROGUE_DETECTION.orphan_detection, enabled: false },
      };
      const stored = { settings, updatedAt: TIME, updatedBy: "author" };
      const put = async (id: string) => namespaces().putRogueDetection({ org, id, stored, auditRow: "{}" });
      expect(await put("prod")).toEqual({ kind: "not_found" });
      expect(await namespaces().rogueDetection(org, "prod")).toEqual({ kind: "not_found" });
      expect(await namespaces().rogueDetection(org, "default")).toEqual({ kind: "found", stored: null });
      expect(await put("default")).toEqual({ kind: "put" });
      expect(await namespaces().rogueDetection(org, "default")).toEqual({ kind: "found", stored });
      expect(await namespaces().rogueDetection(randomUUID(), "default")).toMatchObject({ stored: null });
    });

    it("stops at the limit of namespaces, per organization", async () => {
      const place = await subject.newPlace();
      const store = await place.open({ limits: { ...DEFAULT_STORE_LIMITS, namespaces: 1 } });
      const add = async (org: string, id: string) =>
        store.namespaces.createNamespace({ org, auditRow: "{}", record: namespace(id) });
      expect(await add("org", "a")).toEqual({ kind: "created" });
      expect(await add("org", "b")).toEqual({ kind: "too_many" });
      expect(await add("org", "a")).toMatchObject({ kind: "existing" });
      expect(await add("other", "a")).toEqual({ kind: "created" });
      await store.close();
      await place.remove();
    });
  });
}
