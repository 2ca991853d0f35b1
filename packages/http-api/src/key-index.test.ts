import { loadAtOnce } from "@svc/control-feed/testing/load-at-once";
import type { StoredKey } from "@svc/store/ports/key-store";
import { apiKey } from "@svc/store/testing/records";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KeyIndex } from "./key-index.ts";

const T = "2026-01-01T00:00:00.000Z";

const secretsOf = (...digests: readonly string[]) =>
  digests.map((digest) => ({ digest, created_at: T, expires_at: null }));

function applied(...keys: readonly StoredKey[]): KeyIndex {
  const index = new KeyIndex();
  for (const [at, key] of keys.entries())
    index.apply({ revision: at + 1, org: key.org, change: { kind: "key", key } });
  return index;
}

function loaded(...keys: readonly StoredKey[]): KeyIndex {
  const index = new KeyIndex();
  loadAtOnce(index, {
    revision: 1,
    changes: keys.map((key) => ({ org: key.org, change: { kind: "key", key } })),
  });
  return index;
}

describe("KeyIndex", () => {
  it("resolves scopes and bindings when a key arrives", () => {
    const key = apiKey("k", { role: "operator", agents: ["a-1"], secrets: secretsOf("d") });
    const principal = loaded(key).find("k", "d")?.principal;
    expect(principal).toMatchObject({ id: "k", org: "org", role: "operator", namespaces: null });
    expect([...(principal?.agents ?? [])]).toEqual(["a-1"]);
    expect(principal?.scopes.has("kill_switch:write")).toBe(true);
    expect(principal?.scopes.has("audit:read")).toBe(false);
  });

  // proves KEY-01
  it.each([
    ["bootstrap", true],
    ["managed", false],
  ] as const)("gives a key of role admin and origin %s admin_key:write: %s", (origin, expected) => {
    const key = apiKey("k", { role: "admin", origin, secrets: secretsOf("d") });
    expect(loaded(key).find("k", "d")?.principal.scopes.has("admin_key:write")).toBe(expected);
  });

  it("forgets keys of minutes that had ended when another one was made, and no others", () => {
    const short = (id: string, created_at: string, expires_at: string) =>
      apiKey(id, { origin: "exchanged", created_at, expires_at, secrets: secretsOf("d") });
    const index = applied(
      apiKey("lasting", { expires_at: "2026-01-01T00:05:00.000Z", secrets: secretsOf("d") }),
      short("first", T, "2026-01-01T00:10:00.000Z"),
      short("longer", T, "2026-01-01T01:00:00.000Z"),
      short("next", "2026-01-01T00:10:00.000Z", "2026-01-01T00:20:00.000Z"),
    );
    const known = ["lasting", "first", "longer", "next"].map((id) => index.find(id, "d") !== undefined);
    expect(known).toEqual([true, false, true, true]);
    expect(index.size).toBe(3);
  });

  it("keeps what it had when a key cannot be read", () => {
    const index = loaded(apiKey("k", { secrets: secretsOf("d") }));
    const broken = apiKey("k", { expires_at: "soon", secrets: secretsOf("e") });
    expect(() => index.apply({ revision: 2, org: "org", change: { kind: "key", key: broken } })).toThrow();
    expect([index.revision, index.find("k", "e")]).toEqual([1, undefined]);
    expect(index.find("k", "d")).toBeDefined();
  });

  // proves KEY-02
  it("ends a principal with the secret that it came by, so that nothing it makes outlives the secret", () => {
    const end = "2026-06-01T00:00:00.000Z";
    const old = secretsOf("old").map((secret) => ({ ...secret, expires_at: end }));
    const secrets = [...old, ...secretsOf("young")];
    const index = loaded(apiKey("k", { secrets, expires_at: "2027-01-01T00:00:00.000Z" }));
    expect(index.find("k", "old")?.principal.expires_at).toBe(end);
    expect(index.find("k", "young")?.principal.expires_at).toBe("2027-01-01T00:00:00.000Z");
  });

  // An unknown id and a wrong secret take one lookup each, and what is compared has one length.
  it("K1: finds nothing for an unknown id and for a wrong secret alike", () => {
    const index = new KeyIndex();
    const digest = "0".repeat(64);
    expect([index.find("unknown", digest), index.find("k1", digest)]).toEqual([undefined, undefined]);
  });

  // proves KEY-03, KEY-04
  it("finds exactly the secrets of the last state of each key, by events as by a snapshot", () => {
    const state = fc.record({
      id: fc.constantFrom("k1", "k2", "k3"),
      digests: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { maxLength: 4 }),
      isRevoked: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(state, { maxLength: 12 }), (states) => {
        const keys = states.map(({ id, digests, isRevoked }) =>
          apiKey(id, { secrets: secretsOf(...digests), revoked_at: isRevoked ? T : null }),
        );
        const last = new Map(keys.map((key) => [key.id, key]));
        const followed = applied(...keys);
        const fresh = loaded(...last.values());
        for (const id of ["k1", "k2", "k3"]) {
          const key = last.get(id);
          const live = key === undefined || key.revoked_at !== null ? [] : key.secrets;
          for (const digest of ["a", "b", "c", "d"]) {
            const expected = live.some((secret) => secret.digest === digest);
            expect(followed.find(id, digest) !== undefined).toBe(expected);
            expect(fresh.find(id, digest) !== undefined).toBe(expected);
          }
        }
      }),
    );
  });
});
