import { openMemoryStore } from "@svc/store/testing/memory-store";
import { beforeEach, describe, expect, it } from "vitest";
import { keyIdOf } from "./envelope.ts";
import { generateMasterKey, parseMasterKeys } from "./master-keys.ts";
import { Secrets, SecretUnreadableError } from "./secrets.ts";

const FIRST = generateMasterKey();
const SECOND = generateMasterKey();
const SECRET = "whsec_dGhpcyBpcyBhIGNhbmFyeQ==";
const PLACE = { org: "acme", kind: "webhook", id: "wh-1" };

let store: ReturnType<typeof openMemoryStore>;
beforeEach(() => {
  store = openMemoryStore();
});

const secretsWith = (...keys: readonly string[]): Secrets =>
  new Secrets({
    store: store.secrets,
    keys: keys.length === 0 ? null : parseMasterKeys(keys.join(",")),
  });

/** Everything that the database holds, as text. */
const stored = (): string =>
  ["secrets", "data_keys"]
    .flatMap((table) => store.connection.prepare(`SELECT * FROM ${table}`).all())
    .map((row) => JSON.stringify(row))
    .join("\n");

describe("secrets at rest", () => {
  // proves SECR-01
  it("are read as they were stored, replaced and removed, and stand nowhere in clear", async () => {
    const secrets = secretsWith(FIRST);
    expect(await secrets.get(PLACE)).toBeNull();
    for (const text of ["", SECRET, "ünïcode 🔑", "x".repeat(10_000), SECRET]) {
      await secrets.put(PLACE, text);
      expect(await secrets.get(PLACE)).toBe(text);
    }
    for (const form of [SECRET, SECRET.slice(6), Buffer.from(SECRET).toString("base64url"), FIRST])
      expect(stored()).not.toContain(form);
    expect([await secrets.remove(PLACE), await secrets.remove(PLACE)]).toEqual([true, false]);
    expect(await secrets.get(PLACE)).toBeNull();
  });

  it("are encrypted anew each time, with a key for each organization", async () => {
    const secrets = secretsWith(FIRST);
    const rows: string[] = [];
    for (const place of [PLACE, PLACE, { ...PLACE, org: "other" }]) {
      await secrets.put(place, SECRET);
      rows.push((await store.secrets.secret(place))?.sealed ?? "");
    }
    expect(new Set(rows).size).toBe(3);
    expect(new Set(rows.map(keyIdOf)).size).toBe(2);
  });

  // proves SECR-02
  it.each([
    ["another organization", { org: "other" }],
    ["another kind", { kind: "smtp" }],
    ["another record", { id: "wh-2" }],
    ["parts that are cut elsewhere", { kind: "webhookwh", id: "-1" }],
  ])("do not open at the place of %s", async (_, part) => {
    const secrets = secretsWith(FIRST);
    await secrets.put(PLACE, SECRET);
    const elsewhere = { ...PLACE, ...part };
    await secrets.put(elsewhere, "own");
    const own = await store.secrets.secret(PLACE);
    if (own === null) return expect.unreachable();
    // Who can write the database takes the key with the secret.
    const statement = (sql: string, ...values: string[]): void =>
      void store.connection.prepare(sql).run(...values);
    statement("UPDATE data_keys SET wrapped = ? WHERE org = ?", own.wrapped, elsewhere.org);
    statement(
      "UPDATE secrets SET sealed = ? WHERE org = ? AND kind = ? AND id = ?",
      own.sealed,
      ...Object.values(elsewhere),
    );
    await expect(secrets.get(elsewhere)).rejects.toThrow(/cannot be read: it was changed, or belongs/);
  });

  // proves SECR-02
  it("do not open when any of their characters was changed", async () => {
    const secrets = secretsWith(FIRST);
    await secrets.put(PLACE, "short");
    const { sealed = "" } = (await store.secrets.secret(PLACE)) ?? {};
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === "A" ? "B" : "A";
      const changed = `${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`;
      store.connection.prepare("UPDATE secrets SET sealed = ?").run(changed);
      const read = await secrets.get(PLACE).catch((error: unknown) => error);
      // The last character of a part may hold bits that count for nothing.
      if (read !== "short") expect(read).toBeInstanceOf(SecretUnreadableError);
    }
    for (const text of ["", "v1", "v1...", "v2.a.b.c", sealed.slice(0, -8), `${sealed}.x`]) {
      store.connection.prepare("UPDATE secrets SET sealed = ?").run(text);
      await expect(secrets.get(PLACE)).rejects.toThrow(SecretUnreadableError);
    }
  });

  // proves SECR-03
  it("are neither stored nor read without their key, and say which key is missing", async () => {
    await expect(secretsWith().put(PLACE, SECRET)).rejects.toThrow(/^SVC_SECRETS_KEY: expected the key/);
    await secretsWith().check();
    await secretsWith(FIRST).put(PLACE, SECRET);
    await secretsWith(FIRST).check();
    for (const secrets of [secretsWith(), secretsWith(SECOND)]) {
      await expect(secrets.check()).rejects.toThrow(SecretUnreadableError);
      await expect(secrets.get(PLACE)).rejects.toThrow(/SVC_SECRETS_KEY/);
    }
    await expect(secretsWith(SECOND).check()).rejects.toThrow(
      /^the key of the secrets of acme cannot be read: .* with the key \S+, and SVC_SECRETS_KEY has \S+$/,
    );
  });

  // proves SECR-04
  it("are rotated to the first of several keys, and the old one opens nothing any more", async () => {
    const places = ["a", "b", "c"].flatMap((id) => ["acme", "other"].map((org) => ({ ...PLACE, org, id })));
    const old = secretsWith(FIRST);
    for (const place of places) await old.put(place, `${SECRET} ${place.org} ${place.id}`);
    const before = stored();
    const both = secretsWith(SECOND, FIRST);
    expect(await both.get(PLACE)).toBeNull();
    expect(await both.rotate()).toEqual({ organizations: 2, secrets: 6 });
    for (const row of before.split("\n")) expect(stored()).not.toContain(row);
    const next = secretsWith(SECOND);
    await next.check();
    for (const place of places) expect(await next.get(place)).toBe(`${SECRET} ${place.org} ${place.id}`);
    await expect(old.check()).rejects.toThrow(SecretUnreadableError);
    await expect(old.put(PLACE, "x")).rejects.toThrow(SecretUnreadableError);
    expect(stored()).not.toContain(SECRET);
  });

  it("are rotated while others store some, and none is lost", async () => {
    const secrets = secretsWith(SECOND, FIRST);
    await secrets.put(PLACE, SECRET);
    const others = Array.from({ length: 20 }, (_, at) => ({ ...PLACE, id: `wh-${String(at + 2)}` }));
    await Promise.all([
      secrets.rotate(),
      ...others.map((place) => secrets.put(place, place.id)),
      secrets.rotate(),
    ]);
    for (const place of others) expect(await secrets.get(place)).toBe(place.id);
    expect(await secrets.get(PLACE)).toBe(SECRET);
  });

  it("stay as they are when one of them cannot be read", async () => {
    const secrets = secretsWith(SECOND, FIRST);
    for (const id of ["a", "b"]) await secrets.put({ ...PLACE, id }, SECRET);
    store.connection.prepare("UPDATE secrets SET sealed = 'v1.x.y.z' WHERE id = 'b'").run();
    const before = stored();
    await expect(secrets.rotate()).rejects.toThrow(/^the secret of webhook b of acme cannot be read/);
    expect(stored()).toBe(before);
  });
});

describe("the key of stored secrets", () => {
  it.each([
    "",
    ",",
    "hunter2",
    FIRST.slice(1),
    `${FIRST}=`,
    FIRST.replace("=", ""),
    `${"A".repeat(42)}B=`,
    Buffer.alloc(31).toString("base64"),
    Buffer.alloc(33).toString("base64"),
    Array.from({ length: 9 }, () => FIRST).join(","),
  ])("is not %j, which the message does not repeat", (text) => {
    expect(() => parseMasterKeys(text)).toThrow(/^32 random bytes in base64/);
    expect(() => parseMasterKeys(text)).not.toThrow("hunter2");
  });

  it("may be several, separated by commas or lines", () => {
    const keys = [FIRST, SECOND].map((key) => parseMasterKeys(key)[0].id);
    for (const text of [`${FIRST},${SECOND}`, `${FIRST}\n${SECOND}\n`, ` ${FIRST} , ${SECOND}`])
      expect(parseMasterKeys(text).map(({ id }) => id)).toEqual(keys);
  });
});
