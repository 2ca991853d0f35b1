import type { StoredKey } from "@svc/store/ports/key-store";
import { openMemoryStore } from "@svc/store/testing/memory-store";
import { describe, expect, it } from "vitest";
import { ensureAdminKey } from "./admin-key.ts";
import { type ApiKey, newApiKey, secretDigest } from "./api-key.ts";

function setUp() {
  const { keys, rowTexts } = openMemoryStore();
  const shown: ApiKey[] = [];
  const storedAt: number[] = [];
  const handOver = async (key: ApiKey): Promise<void> => {
    storedAt.push((await keys.keys()).length);
    shown.push(key);
  };
  let withdrawn = 0;
  const withdraw = async (): Promise<void> => void (withdrawn += 1);
  const ensure = (bootstrapKey: ApiKey | null) =>
    ensureAdminKey({ keys, bootstrapKey, now: new Date(0), handOver, withdraw });
  return { ensure, keys, shown, rowTexts, storedAt, withdrawn: () => withdrawn };
}

describe("ensureAdminKey", () => {
  it("makes a key on the first start, hands it over once before it counts, and keeps its hash", async () => {
    const { ensure, shown, rowTexts, storedAt } = setUp();
    const [key] = await ensure(null);
    await ensure(null);
    expect([shown.length, storedAt]).toEqual([1, [0]]);
    expect(Buffer.from(key?.secretSha256 ?? "")).toEqual(Buffer.from(secretDigest(shown[0]?.secret ?? "")));
    const rows = rowTexts();
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain('"kind":"key"');
    expect(rows[0]).not.toContain(shown[0]?.secret);
  });

  it("takes the operator's key, hands none over, and writes it down only when it is new", async () => {
    const { ensure, shown, rowTexts } = setUp();
    const key = newApiKey();
    await ensure(key);
    await ensure(key);
    expect([shown.length, rowTexts().length]).toEqual([0, 1]);
    const changed = await ensure({ ...key, secret: newApiKey().secret });
    expect([changed.length, rowTexts().length]).toEqual([1, 2]);
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
    const { ensure, keys, rowTexts } = setUp();
    await keys.createKey(managed("managed"), "{}");
    const [old, key] = [newApiKey(), newApiKey()];
    for (const bootstrapKey of [old, key, key]) await ensure(bootstrapKey);
    expect((await ensure(key)).map(({ id }) => id).toSorted()).toEqual(["managed", key.id].toSorted());
    expect(rowTexts()).toHaveLength(1 + 2);
  });

  it("refuses to start when the operator's key has the id of a managed one", async () => {
    const { ensure, keys } = setUp();
    const key = newApiKey();
    await keys.createKey(managed(key.id), "{}");
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
