import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ContractSubject } from "./contract-subject.ts";

export function secretContract(subject: ContractSubject): void {
  describe("SecretStore", () => {
    /** An organization of its own with a key. */
    const organization = async () => {
      const { secrets } = subject.store();
      const org = `secrets-${randomUUID()}`;
      expect(await secrets.dataKey(org, "key-1")).toBe("key-1");
      const place = (id: string, kind = "webhook") => ({ org, kind, id });
      return { secrets, org, place };
    };

    it("keeps one key for an organization, also when several ask at once", async () => {
      const { secrets, org } = await organization();
      const answers = await Promise.all(["key-2", "key-3"].map((key) => secrets.dataKey(org, key)));
      expect(answers).toEqual(["key-1", "key-1"]);
      expect(await secrets.dataKeys()).toContainEqual({ org, wrapped: "key-1" });
    });

    it("keeps a secret at its place, replaces it, and removes it once", async () => {
      const { secrets, org, place } = await organization();
      expect(await secrets.secret(place("a"))).toBeNull();
      for (const sealed of ["one", "two"])
        expect(await secrets.putSecret(place("a"), { sealed, wrapped: "key-1" })).toBe(true);
      expect(await secrets.putSecret(place("a", "other"), { sealed: "three", wrapped: "key-1" })).toBe(true);
      expect(await secrets.secret(place("a"))).toEqual({ sealed: "two", wrapped: "key-1" });
      expect(await secrets.secret({ ...place("a"), org: `${org}-2` })).toBeNull();
      expect(await secrets.secretsOf(org)).toEqual([
        { kind: "other", id: "a", sealed: "three" },
        { kind: "webhook", id: "a", sealed: "two" },
      ]);
      const removals = [await secrets.removeSecret(place("a")), await secrets.removeSecret(place("a"))];
      expect(removals).toEqual([true, false]);
      expect(await secrets.secret(place("a"))).toBeNull();
    });

    it("refuses a secret of a key that is not the organization's", async () => {
      const { secrets, org, place } = await organization();
      expect(await secrets.putSecret(place("a"), { sealed: "x", wrapped: "key-0" })).toBe(false);
      const nobody = { ...place("a"), org: `${org}-none` };
      expect(await secrets.putSecret(nobody, { sealed: "x", wrapped: "key-1" })).toBe(false);
      expect(await secrets.secretsOf(org)).toEqual([]);
    });

    it("replaces a key with all its secrets, or nothing", async () => {
      const { secrets, org, place } = await organization();
      for (const id of ["a", "b"])
        await secrets.putSecret(place(id), { sealed: `${id}-1`, wrapped: "key-1" });
      const resealed = ["a", "b"].map((id) => ({ kind: "webhook", id, from: `${id}-1`, to: `${id}-2` }));
      const [first, second] = resealed;
      if (first === undefined || second === undefined) return expect.unreachable();
      const replaced = (from: string, changed: typeof resealed) =>
        secrets.replaceDataKey({ org, from, to: "key-2", secrets: changed });
      expect(await replaced("key-0", resealed)).toBe(false);
      expect(await replaced("key-1", [first])).toBe(false);
      expect(await replaced("key-1", [first, { ...second, from: "b-0" }])).toBe(false);
      expect(await replaced("key-1", [...resealed, { ...second, id: "c" }])).toBe(false);
      expect(await secrets.secret(place("a"))).toEqual({ sealed: "a-1", wrapped: "key-1" });
      expect(await replaced("key-1", resealed)).toBe(true);
      expect(await secrets.secret(place("b"))).toEqual({ sealed: "b-2", wrapped: "key-2" });
      expect(await secrets.putSecret(place("c"), { sealed: "late", wrapped: "key-1" })).toBe(false);
    });

    it("loses no secret that is stored while a key is replaced", async () => {
      const { secrets, org, place } = await organization();
      const ids = Array.from({ length: 10 }, (_, at) => `s-${String(at)}`);
      const [, ...stored] = await Promise.all([
        secrets.replaceDataKey({ org, from: "key-1", to: "key-2", secrets: [] }),
        ...ids.map((id) => secrets.putSecret(place(id), { sealed: "x", wrapped: "key-1" })),
      ]);
      const kept = await secrets.secretsOf(org);
      expect(kept).toHaveLength(stored.filter(Boolean).length);
    });

    it("keeps them over a restart", async () => {
      const place = await subject.newPlace();
      const opened = await place.open();
      await opened.secrets.dataKey("o", "key");
      await opened.secrets.putSecret({ org: "o", kind: "k", id: "i" }, { sealed: "s", wrapped: "key" });
      await opened.close();
      const again = await place.open();
      expect(await again.secrets.secret({ org: "o", kind: "k", id: "i" })).toEqual({
        sealed: "s",
        wrapped: "key",
      });
      await again.close();
      await place.remove();
    });
  });
}
