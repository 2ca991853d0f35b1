import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signCheckpoint } from "@svc/audit-log/checkpoint";
import { generateSigningKey, parseSigner } from "@svc/audit-log/note-key";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openDataDirectory } from "./data-directory.ts";

const signer = parseSigner("svc-test", generateSigningKey());

let path: string;

const open = (gatewayId: string | null = null) => openDataDirectory({ path, gatewayId });

function checkpoint(logId: string, size: number) {
  return { logId, size, note: signCheckpoint(signer, { logId, size, hash: new Uint8Array(32) }) };
}

beforeEach(async () => {
  const parent = await mkdtemp(join(tmpdir(), "svc-data-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  path = join(parent, "data");
});

describe("openDataDirectory", () => {
  it("makes an id and a key once, and nobody else may read them", async () => {
    const first = await open();
    const second = await open();
    expect(second).toMatchObject({ gatewayId: first.gatewayId, signingKeyPem: first.signingKeyPem });
    expect(first.gatewayId).toMatch(/^gw_[0-9a-f]{12}$/);
    expect(parseSigner("x", first.signingKeyPem)).toBeDefined();
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect((await stat(join(path, "signing-key.pem"))).mode & 0o777).toBe(0o600);
  });

  it("takes the id from the settings, and refuses a file that holds none", async () => {
    expect((await open("gw-fixed")).gatewayId).toBe("gw-fixed");
    await open();
    await writeFile(join(path, "gateway-id"), "not an id");
    await expect(open()).rejects.toThrow("gateway-id");
  });

  it("finds the newest checkpoint of its own log", async () => {
    const directory = await open("gw_own");
    expect(await directory.newestCheckpoint()).toBeNull();
    for (const size of [1, 2, 3]) await directory.appendCheckpoint(checkpoint("gw_own", size));
    await directory.appendCheckpoint(checkpoint("gw_other", 9));
    expect(await directory.newestCheckpoint()).toMatchObject({ logId: "gw_own", size: 3 });
  });

  it("finds it at the end of a long file, too", async () => {
    const directory = await open("gw_own");
    await appendFile(join(path, "checkpoints.ndjson"), `${"x".repeat(100_000)}\n`);
    await directory.appendCheckpoint(checkpoint("gw_own", 7));
    expect(await directory.newestCheckpoint()).toMatchObject({ size: 7 });
  });

  it("drops a line that a crash has torn, and keeps all others", async () => {
    const before = await open("gw_own");
    await before.appendCheckpoint(checkpoint("gw_own", 1));
    const file = join(path, "checkpoints.ndjson");
    const whole = await readFile(file, "utf8");
    await appendFile(file, '{"log_id":"gw_own","siz');
    const after = await open("gw_own");
    await after.mendCheckpointFile();
    expect(await readFile(file, "utf8")).toBe(whole);
    await after.appendCheckpoint(checkpoint("gw_own", 2));
    expect(await after.newestCheckpoint()).toMatchObject({ size: 2 });
  });

  it("L2: keeps a whole last line that lacks only its end", async () => {
    const before = await open("gw_own");
    await before.appendCheckpoint(checkpoint("gw_own", 1));
    await before.appendCheckpoint(checkpoint("gw_own", 2));
    const file = join(path, "checkpoints.ndjson");
    const whole = await readFile(file, "utf8");
    await writeFile(file, whole.slice(0, -1));
    const after = await open("gw_own");
    await after.mendCheckpointFile();
    expect(await readFile(file, "utf8")).toBe(whole);
    expect(await after.newestCheckpoint()).toMatchObject({ size: 2 });
  });

  it("agrees on one identity when two start at once", async () => {
    const both = await Promise.all([open(), open(), open(), open()]);
    expect(new Set(both.map(({ gatewayId }) => gatewayId)).size).toBe(1);
    expect(new Set(both.map(({ signingKeyPem }) => signingKeyPem)).size).toBe(1);
  });

  it("L2: does not take a line that it cannot read for no checkpoint", async () => {
    const directory = await open("gw_own");
    await directory.appendCheckpoint(checkpoint("gw_own", 3));
    await appendFile(join(path, "checkpoints.ndjson"), '{"log_id":"x"}\n');
    await expect(directory.newestCheckpoint()).rejects.toThrow("expected a checkpoint in every line");
  });

  it("L7: keeps the public keys of before a rotation", async () => {
    const before = await openDataDirectory({ path, gatewayId: null });
    expect(await before.notePublicKey("first")).toEqual(["first"]);
    expect(await before.notePublicKey("first")).toEqual(["first"]);
    const after = await openDataDirectory({ path, gatewayId: null });
    expect(await after.notePublicKey("second")).toEqual(["first", "second"]);
  });
});
