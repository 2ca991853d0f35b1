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
    putKey: async (key, row) => put(key, row),
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
  return { ensure, shown, rows, storedAt, withdrawn: () => withdrawn };
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

  it("accepts nothing but the operator's key while that is set", async () => {
    const { ensure, withdrawn } = setUp();
    await ensure(null);
    expect(withdrawn()).toBe(0);
    const key = newApiKey();
    expect((await ensure(key)).map(({ id }) => id)).toEqual([key.id]);
    expect(withdrawn()).toBe(1);
  });
});
