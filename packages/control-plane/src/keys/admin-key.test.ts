import { openMemoryStore } from "@svc/store/testing/memory-store";
import { apiKey } from "@svc/store/testing/records";
import { describe, expect, it } from "vitest";
import { ensureAdminKey } from "./admin-key.ts";
import { type ApiKey, newApiKey, secretDigest } from "./api-key.ts";

function setUp() {
  const { keys, rowTexts } = openMemoryStore();
  const shown: ApiKey[] = [];
  const storedAt: number[] = [];
  const handOver = async (key: ApiKey): Promise<void> => {
    storedAt.push((await keys.bootstrapKeys()).length);
    shown.push(key);
  };
  let withdrawn = 0;
  const withdraw = async (): Promise<void> => void (withdrawn += 1);
  const ensure = async (bootstrapKey: ApiKey | null) => {
    await ensureAdminKey({ keys, bootstrapKey, now: new Date(0), handOver, withdraw });
    return keys.bootstrapKeys();
  };
  const storeManaged = (id: string) =>
    keys.createKey({
      org: "other",
      auditRow: "{}",
      actor: null,
      at: new Date(0).toISOString(),
      key: apiKey(id, { org: "other", role: "admin" }),
    });
  return { ensure, storeManaged, keys, shown, rowTexts, storedAt, withdrawn: () => withdrawn };
}

describe("ensureAdminKey", () => {
  it("makes a key on the first start, hands it over once before it counts, and keeps its hash", async () => {
    const { ensure, shown, rowTexts, storedAt } = setUp();
    const [key] = await ensure(null);
    await ensure(null);
    expect([shown.length, storedAt]).toEqual([1, [0]]);
    expect(key?.secrets.map(({ digest }) => digest)).toEqual([secretDigest(shown[0]?.secret ?? "")]);
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
    const secret = newApiKey().secret;
    const [changed] = await ensure({ ...key, secret });
    expect([changed?.secrets.map(({ digest }) => digest), rowTexts().length]).toEqual([
      [secretDigest(secret)],
      2,
    ]);
  });

  // proves AUTH-10
  it("keeps managed keys beside the operator's, and writes no row twice", async () => {
    const { ensure, storeManaged, keys, rowTexts } = setUp();
    await storeManaged("managed");
    const [old, key] = [newApiKey(), newApiKey()];
    for (const bootstrapKey of [old, key, key]) await ensure(bootstrapKey);
    expect((await ensure(key)).map(({ id }) => id)).toEqual([key.id]);
    expect((await keys.key("managed"))?.revoked_at).toBeNull();
    expect((await keys.key(old.id))?.revoked_by).toBe(key.id);
    expect(rowTexts()).toHaveLength(1 + 2);
  });

  it("makes a key although managed ones exist, so that the operator is never shut out", async () => {
    const { ensure, storeManaged, shown } = setUp();
    await storeManaged("managed");
    expect((await ensure(null)).map(({ id }) => id)).toEqual([shown[0]?.id]);
  });

  it("refuses to start when the operator's key has the id of a managed one", async () => {
    const { ensure, storeManaged } = setUp();
    const key = newApiKey();
    await storeManaged(key.id);
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
