import { randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { DEFAULT_STORE_LIMITS } from "../default-limits.ts";
import type { StoredKey } from "../ports/key-store.ts";
import { readChain, rowText } from "../testing/expect-chain.ts";
import { apiKey } from "../testing/records.ts";
import type { ContractSubject } from "./contract-subject.ts";

const T0 = "2026-01-02T03:04:05.678Z";
const T1 = "2026-01-02T03:05:00.000Z";
const T2 = "2026-01-02T04:00:00.000Z";

export function keyContract(subject: ContractSubject): void {
  const keys = () => subject.store().keys;
  const by = (actor: string | null, at: string = T0) => ({ org: "org", auditRow: "{}", actor, at });

  const create = (key: StoredKey, actor: string | null = null, at: string = T0) =>
    keys().createKey({ ...by(actor, at), auditRow: `{"created":"${key.id}"}`, key });

  const rotate = (id: string, digest: string, { at = T1, end = T2 } = {}) =>
    keys().rotateKey({ ...by(null, at), id, digest, overlapEndsAt: end });

  const revoke = (id: string, actor: string | null = null) =>
    keys().revokeKey({ ...by(actor, T1), id, revokedBy: "operator" });

  const rowsAbout = async (id: string): Promise<readonly string[]> => {
    const { audit, logId } = subject.store();
    return (await readChain(audit, logId)).map(rowText).filter((text) => text.includes(id));
  };

  describe("KeyStore", () => {
    it("creates a key once, with its audit row, and announces it", async () => {
      const key = apiKey(randomUUID(), { agents: ["a-1"], expires_at: T2 });
      const before = (await subject.store().controlFeed.snapshot()).revision;
      expect(await create(key)).toEqual({ kind: "created", revision: before + 1 });
      expect(await create({ ...key, org: "other" })).toEqual({ kind: "id_taken" });
      expect(await keys().key(key.id)).toEqual(key);
      expect(await rowsAbout(key.id)).toEqual([`{"created":"${key.id}"}`]);
      const [event] = await subject.store().controlFeed.eventsAfter(before, 10);
      expect(event).toEqual({ revision: before + 1, org: "org", change: { kind: "key", key } });
    });

    it("keeps a key of minutes for a day after its end, and counts it apart from lasting keys", async () => {
      const place = await subject.newPlace();
      const store = await place.open();
      onTestFinished(async () => {
        await store.close();
        await place.remove();
      });
      const short = (id: string, expires_at: string) => apiKey(id, { origin: "exchanged", expires_at });
      const add = (key: StoredKey, at: string) => store.keys.createKey({ ...by(null, at), key });
      await add(apiKey("lasting", { expires_at: T1 }), T0);
      await add(short("first", T1), T0);
      await add(short("within-a-day", T2), "2026-01-03T03:05:00.000Z");
      expect(await store.keys.key("first")).toMatchObject({ id: "first", origin: "exchanged" });
      await add(short("later", "2026-01-04T00:00:00.000Z"), "2026-01-03T03:05:00.001Z");
      const found = ["lasting", "first", "within-a-day"].map(async (id) => (await store.keys.key(id))?.id);
      expect(await Promise.all(found)).toEqual(["lasting", undefined, "within-a-day"]);
    });

    // proves KEY-05
    it("never uses an id again, not even that of a revoked key", async () => {
      const key = apiKey(randomUUID());
      await create(key);
      await revoke(key.id);
      expect(await create(key)).toEqual({ kind: "id_taken" });
      expect(await keys().putBootstrapKey({ ...key, origin: "bootstrap" }, "{}", "always")).toBe("id_taken");
    });

    // proves KEY-03
    it("ends earlier secrets of a rotated key with the overlap, and forgets ended ones", async () => {
      const id = randomUUID();
      await create(apiKey(id, { secrets: [{ digest: "00", created_at: T0, expires_at: null }] }));
      expect((await rotate(id, "11")).kind).toBe("rotated");
      expect((await rotate(id, "22", { end: "2026-01-03T00:00:00.000Z" })).kind).toBe("rotated");
      expect((await keys().key(id))?.secrets).toEqual([
        { digest: "00", created_at: T0, expires_at: T2 },
        { digest: "11", created_at: T1, expires_at: "2026-01-03T00:00:00.000Z" },
        { digest: "22", created_at: T1, expires_at: null },
      ]);
      await rotate(id, "33", { at: T2, end: T2 });
      expect((await keys().key(id))?.secrets.map(({ digest }) => digest)).toEqual(["33"]);
    });

    // proves KEY-04
    it("revokes once, keeps no secret, and lets no rotation revive the key", async () => {
      const id = randomUUID();
      await create(apiKey(id));
      const revoked = await revoke(id);
      expect(revoked).toMatchObject({ kind: "revoked", key: { revoked_at: T1, secrets: [] } });
      expect(await revoke(id)).toMatchObject({ kind: "already_revoked" });
      expect(await rotate(id, "11")).toMatchObject({ kind: "ended", key: { secrets: [] } });
      const { changes } = await subject.store().controlFeed.snapshot();
      expect(JSON.stringify(changes)).not.toContain(id);
    });

    it("does not rotate a key that has expired, at its last millisecond neither", async () => {
      const id = randomUUID();
      await create(apiKey(id, { expires_at: T1 }));
      expect(await rotate(id, "11", { at: T1 })).toMatchObject({ kind: "ended" });
    });

    it("refuses a change of no key", async () => {
      expect(await rotate("none", "11")).toEqual({ kind: "not_found" });
      expect(await revoke("none")).toEqual({ kind: "not_found" });
    });

    // proves KEY-07
    it("refuses every change that a revoked or expired key asks for, and writes nothing", async () => {
      const [target, revoked, expired, next] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
      await create(apiKey(target));
      await create(apiKey(revoked));
      await create(apiKey(expired, { expires_at: T1 }));
      await revoke(revoked);
      for (const actor of [revoked, expired, "unknown"]) {
        expect(await create(apiKey(next), actor, T1)).toEqual({ kind: "actor_ended" });
        const change = { ...by(actor, T1), id: target };
        const rotation = { ...change, digest: "11", overlapEndsAt: T2 };
        expect(await keys().rotateKey(rotation)).toEqual({ kind: "actor_ended" });
        expect(await keys().revokeKey({ ...change, revokedBy: actor })).toEqual({ kind: "actor_ended" });
      }
      expect(await keys().key(next)).toBeNull();
      expect(await keys().key(target)).toEqual(apiKey(target));
    });

    // proves KEY-03
    it("loses no secret of concurrent rotations, and a revocation among them wins for good", async () => {
      const id = randomUUID();
      await create(apiKey(id, { secrets: [] }));
      const digests = Array.from({ length: 20 }, (_, at) => String(at));
      const done = await Promise.all(digests.map((digest) => rotate(id, digest)));
      expect(done.map(({ kind }) => kind)).toEqual(digests.map(() => "rotated"));
      expect((await keys().key(id))?.secrets.map(({ digest }) => digest).toSorted()).toEqual(
        digests.toSorted(),
      );
      const raced = await Promise.all([rotate(id, "a"), revoke(id), rotate(id, "b")]);
      expect(raced[1]?.kind).toBe("revoked");
      expect((await keys().key(id))?.secrets).toEqual([]);
    });

    it("lists the keys of one organization alone, by id, in pages", async () => {
      const org = randomUUID();
      for (const at of ["b", "a", "c"]) await create(apiKey(`${at}-${org}`, { org }));
      const first = await keys().keys(org, { limit: 2, after: null });
      if (first === "bad_cursor") throw new Error("the first page has no cursor");
      expect(first.items.map(({ id }) => id)).toEqual([`a-${org}`, `b-${org}`]);
      const second = await keys().keys(org, { limit: 2, after: first.next });
      expect(second).toMatchObject({ items: [{ id: `c-${org}` }], next: null });
      expect(await keys().keys(org, { limit: 2, after: "x" })).toBe("bad_cursor");
    });

    it("stops at the limit of keys of an organization, and of secrets of a key", async () => {
      const place = await subject.newPlace();
      const store = await place.open({ limits: { ...DEFAULT_STORE_LIMITS, keys: 2, keySecrets: 2 } });
      const add = (id: string, org = "org") =>
        store.keys.createKey({ ...by(null), key: apiKey(id, { org }) });
      const renew = (overlapEndsAt: string) =>
        store.keys.rotateKey({ ...by(null, T1), id: "k1", digest: "11", overlapEndsAt });
      for (const id of ["k1", "k2"]) expect(await add(id)).toMatchObject({ kind: "created" });
      expect(await add("k3")).toEqual({ kind: "too_many", full: { of: "lasting" } });
      expect(await add("k4", "other")).toMatchObject({ kind: "created" });
      await store.keys.revokeKey({ ...by(null), id: "k2", revokedBy: "operator" });
      expect(await add("k3")).toMatchObject({ kind: "created" });
      expect(await renew(T2)).toMatchObject({ kind: "rotated" });
      expect(await renew(T2)).toEqual({ kind: "too_many" });
      expect(await renew(T1)).toMatchObject({ kind: "rotated" });
      await store.close();
      await place.remove();
    });

    // proves TOK-09
    it("keeps a place for logins, however many keys a trust rule gives", async () => {
      const place = await subject.newPlace();
      const limits = { ...DEFAULT_STORE_LIMITS, keys: 4, exchangedKeys: 3, keysOfTrustRule: 2 };
      const store = await place.open({ limits });
      const add = (id: string, trust_rule_id: string | null, expires_at = T2, at = T0) => {
        const identity = {
          issuer: "https://idp",
          subject: "s",
          trust_rule_id,
          environment: null,
          person: null,
        };
        const origin = trust_rule_id === null ? "login" : "exchanged";
        const key = apiKey(id, { origin, identity, expires_at });
        return store.keys.createKey({ ...by(null, at), key });
      };
      const created = { kind: "created" };
      const full = (of: string, exchanged: number, logins: number, nextEnd: string) => ({
        kind: "too_many",
        full: { of, exchanged, logins, nextEnd },
      });
      for (const id of ["a1", "a2"]) expect(await add(id, "a")).toMatchObject(created);
      expect(await add("a3", "a")).toEqual(full("trust_rule", 2, 0, T2));
      expect(await add("b1", "b", T1)).toMatchObject(created);
      expect(await add("b2", "b")).toEqual(full("exchanged", 3, 0, T1));
      expect(await add("login-1", null)).toMatchObject(created);
      expect(await add("login-2", null)).toEqual(full("short", 3, 1, T1));
      expect(await add("login-2", null, T2, T1)).toMatchObject(created);
      await store.keys.revokeKey({ ...by(null), id: "a1", revokedBy: "operator" });
      expect(await add("a3", "a", T2, T1)).toMatchObject(created);
      await store.close();
      await place.remove();
    });

    it("says whether there is or was a key of another organization", async () => {
      const place = await subject.newPlace();
      const store = await place.open();
      const made = by(null);
      await store.keys.createKey({ ...made, key: apiKey("own") });
      expect(await store.keys.hasOtherOrganization("org")).toBe(false);
      await store.keys.createKey({ ...made, key: apiKey("foreign", { org: "other" }) });
      await store.keys.revokeKey({ ...made, id: "foreign", revokedBy: "operator" });
      expect(await store.keys.hasOtherOrganization("org")).toBe(true);
      const login = apiKey("login", { org: "claimed", origin: "login", expires_at: T2 });
      await store.keys.createKey({ ...made, org: "claimed", key: login });
      const orgs = ["org", "other", "claimed", "__proto__"];
      const known = await Promise.all(orgs.map(async (org) => store.keys.hasOrganization(org)));
      expect(known).toEqual([true, true, false, false]);
      await store.close();
      await place.remove();
    });

    // proves AUTH-10
    it("puts a bootstrap key in place of the others, for good, and keeps every managed key", async () => {
      const place = await subject.newPlace();
      const store = await place.open();
      const bootstrap = (id: string) => apiKey(id, { origin: "bootstrap", role: "admin" });
      await store.keys.createKey({ ...by(null), key: bootstrap("lost") });
      for (const org of ["org", "other"])
        await store.keys.createKey({ ...by(null), key: apiKey(`managed-${org}`, { org }) });
      const before = (await store.controlFeed.snapshot()).revision;
      expect(await store.keys.putBootstrapKey(bootstrap("new"), "{}", "only first")).toBe("not_first");
      expect(await store.keys.putBootstrapKey(bootstrap("new"), "{}", "always")).toBe("put");
      const events = await store.controlFeed.eventsAfter(before, 10);
      expect(events.map(({ change }) => change)).toMatchObject([
        { kind: "key", key: { id: "lost", revoked_by: "new", secrets: [] } },
        { kind: "key", key: { id: "new", revoked_at: null } },
      ]);
      await store.close();
      const reopened = await place.open();
      expect((await reopened.keys.bootstrapKeys()).map(({ id }) => id)).toEqual(["new"]);
      const { changes } = await reopened.controlFeed.snapshot();
      expect(changes.map(({ change }) => (change.kind === "key" ? change.key.id : ""))).toEqual([
        "managed-org",
        "managed-other",
        "new",
      ]);
      await reopened.close();
      await place.remove();
    });

    it("puts a bootstrap key that exists or not, with its audit row", async () => {
      const key = apiKey(randomUUID(), { origin: "bootstrap", role: "admin" });
      const again = { ...key, secrets: [{ digest: "22", created_at: T1, expires_at: null }] };
      expect(await keys().putBootstrapKey(key, `{"put":"${key.id}"}`, "only first")).toBe("put");
      expect(await keys().putBootstrapKey(again, `{"put":"${key.id}"}`, "always")).toBe("put");
      expect(await keys().key(key.id)).toEqual(again);
      expect(await rowsAbout(key.id)).toHaveLength(2);
      await revoke(key.id);
    });
  });
}
