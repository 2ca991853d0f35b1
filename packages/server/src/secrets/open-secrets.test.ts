import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateMasterKey, parseMasterKeys } from "@svc/secrets/master-keys";
import { openMemoryStore } from "@svc/store/testing/memory-store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSecrets } from "./open-secrets.ts";
import { SecretsKeyFile } from "./secrets-key-file.ts";

const PLACE = { org: "acme", kind: "webhook", id: "wh-1" };

let dataDir: string;
let store: ReturnType<typeof openMemoryStore>;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "svc-secrets-"));
  store = openMemoryStore();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const openWith = (more: { secretsKeys?: ReturnType<typeof parseMasterKeys>; databaseUrl?: string } = {}) =>
  openSecrets({ secretsKeys: null, databaseUrl: null, dataDir, ...more }, store);

const path = (): string => join(dataDir, "secrets-key");

describe("the key of the secrets of a server", () => {
  // proves SECR-05
  it("is made in the data directory at the first start, for its own user alone, and kept", async () => {
    await (await openWith()).put(PLACE, "canary");
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(["secrets-key"]);
    const key = readFileSync(path(), "utf8");
    expect(await (await openWith()).get(PLACE)).toBe("canary");
    expect(readFileSync(path(), "utf8")).toBe(key);
  });

  // proves SECR-03
  it("is not made anew when it was lost: the start is refused with what to do", async () => {
    await (await openWith()).put(PLACE, "canary");
    rmSync(path());
    await expect(openWith()).rejects.toThrow(
      /^the store holds encrypted secrets that this process cannot read: .*Restore .*secrets-key from/s,
    );
    expect(readdirSync(dataDir)).toEqual([]);
  });

  // proves SECR-03
  it("is required with PostgreSQL as soon as there is something to read", async () => {
    const databaseUrl = "postgres://db/svc";
    const secretsKeys = parseMasterKeys(generateMasterKey());
    await expect((await openWith({ databaseUrl })).put(PLACE, "canary")).rejects.toThrow(
      /SVC_SECRETS_KEY_FILE$/,
    );
    await (await openWith({ databaseUrl, secretsKeys })).put(PLACE, "canary");
    const other = parseMasterKeys(generateMasterKey());
    for (const keys of [{}, { secretsKeys: other }])
      await expect(openWith({ databaseUrl, ...keys })).rejects.toThrow(
        /Set SVC_SECRETS_KEY to the key with which/,
      );
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it.each([
    ["empty", () => writeFileSync(path(), "", { mode: 0o600 }), /expected 32 random bytes.*\(not shown\)$/s],
    ["another text", () => writeFileSync(path(), "hunter2", { mode: 0o600 }), /^(?!.*hunter2).*expected 32/s],
    ["readable by others", () => open640(), /secrets-key: expected the mode 0600, found 0640$/],
    ["a directory", () => mkdirSync(path(), { mode: 0o700 }), /expected a readable file: EISDIR/],
  ])("that is %s stops the start, naming the file", async (_, make, message) => {
    make();
    await expect(openWith()).rejects.toThrow(message);
  });

  // proves SECR-04
  it("is rotated in its file: a crash before its end leaves both keys, and nothing is lost", async () => {
    await (await openWith()).put(PLACE, "canary");
    const old = readFileSync(path(), "utf8");
    const file = new SecretsKeyFile(dataDir);
    await expect(file.rotate(() => Promise.reject(new Error("crash")))).rejects.toThrow("crash");
    expect(readFileSync(path(), "utf8")).toContain(old);
    const opened = await openWith();
    expect(await opened.get(PLACE)).toBe("canary");
    expect(await file.rotate(async (keys) => (await openWith({ secretsKeys: keys })).rotate())).toEqual({
      organizations: 1,
      secrets: 1,
    });
    expect(readFileSync(path(), "utf8").trim().split("\n")).toHaveLength(1);
    expect(readFileSync(path(), "utf8")).not.toContain(old.trim());
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(await (await openWith()).get(PLACE)).toBe("canary");
  });
});

function open640(): void {
  writeFileSync(path(), generateMasterKey());
  chmodSync(path(), 0o640);
}
