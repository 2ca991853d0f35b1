import type { KeyStore, StoredKey } from "@svc/store/ports/key-store";
import { describe, expect, it } from "vitest";
import { ensureAdminKey } from "./admin-key.ts";
import { type ApiKey, newApiKey, secretDigest } from "./api-key.ts";

function setUp() {
  const known = new Map<string, StoredKey>();
  const rows: string[] = [];
  const put = (key: StoredKey, row: string): void => {
    known.set(key.id, key);
    rows.push(row);
  };
  const keys: KeyStore = {
    keys: async () => [...known.values()],
    createKey: async (key, row) => {
      put(key, row);
      return "created";
    },
    putBootstrapKey: async (key, row) => {
      if (known.get(key.id)?.origin === "managed") return "id_taken";
      for (const { id, origin } of known.values()) if (origin === "bootstrap") known.delete(id);
      put({ ...key, origin: "bootstrap" }, row);
      return "put";
    },
  };
  const shown: ApiKey[] = [];
  const storedAt: number[] = [];
  const handOver = async (key: ApiKey): Promise<void> => {
    storedAt.push(known.size);
    shown.push(key);
  };
  let withdrawn = 0;
  const withdraw = async (): Promise<void> => void (withdrawn += 1);
  const ensure = (bootstrapKey: ApiKey | null) =>
    ensureAdminKey({ keys, bootstrapKey, now: new Date(0), handOver, withdraw });
  return { ensure, known, shown, rows, storedAt, withdrawn: () => withdrawn };
}

describe("ensureAdminKey", () => {
  it("makes a key on the first start, hands it over once before it counts, and keeps its hash", async () => {
    const { ensure, shown, rows, storedAt } = setUp();
    const [key] = await ensure(null);
    await ensure(null);
    expect([shown.length, storedAt]).toEqual([1, [0]]);
    expect(Buffer.from(key?.secretSha256 ?? "")).toEqual(Buffer.from(secretDigest(shown[0]?.secret ?? "")));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain('"kind":"key"');
    expect(rows[0]).not.toContain(shown[0]?.secret);
  });

  it("takes the operator's key, hands none over, and writes it down only when it is new", async () => {
    const { ensure, shown, rows } = setUp();
    const key = newApiKey();
    await ensure(key);
    await ensure(key);
    expect([shown.length, rows.length]).toEqual([0, 1]);
    const changed = await ensure({ ...key, secret: newApiKey().secret });
    expect([changed.length, rows.length]).toEqual([1, 2]);
  });

  const managed = (id: string): StoredKey => ({
    id,
    org: "other-org",
    origin: "managed",
    role: "admin",
    secretSha256: new Uint8Array(32),
    createdAt: new Date(0).toISOString(),
  });

  // proves AUTH-10
  it("keeps and accepts managed keys beside the operator's, and writes no row twice", async () => {
    const { ensure, known, rows } = setUp();
    known.set("managed", managed("managed"));
    const [old, key] = [newApiKey(), newApiKey()];
    for (const bootstrapKey of [old, key, key]) await ensure(bootstrapKey);
    expect((await ensure(key)).map(({ id }) => id).toSorted()).toEqual(["managed", key.id].toSorted());
    expect(rows).toHaveLength(2);
  });

  it("refuses to start when the operator's key has the id of a managed one", async () => {
    const { ensure, known } = setUp();
    const key = newApiKey();
    known.set(key.id, managed(key.id));
    await expect(ensure(key)).rejects.toThrow("SVC_BOOTSTRAP_API_KEY");
  });

  it("accepts no other bootstrap key while the operator's is set", async () => {
    const { ensure, withdrawn } = setUp();
    await ensure(null);
    expect(withdrawn()).toBe(0);
    const key = newApiKey();
    expect((await ensure(key)).map(({ id }) => id)).toEqual([key.id]);
    expect(withdrawn()).toBe(1);
  });
});
