import {
  appendFile,
  type FileHandle,
  mkdtemp,
  open as openFile,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signCheckpoint } from "@svc/audit-log/checkpoint";
import { parseCheckpointLine } from "@svc/audit-log/checkpoint-line";
import { generateSigningKey, parseSigner } from "@svc/audit-log/note-key";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { FileDamage } from "./checkpoint-file.ts";
import { openDataDirectory } from "./data-directory.ts";

const signer = parseSigner("svc-test", generateSigningKey());

let path: string;

let damages: FileDamage[];

const open = (gatewayId: string | null = null) =>
  openDataDirectory({ path, gatewayId, onDamage: (damage) => damages.push(damage) });

function checkpoint(logId: string, size: number) {
  return { logId, size, note: signCheckpoint(signer, { logId, size, hash: new Uint8Array(32) }) };
}

beforeEach(async () => {
  damages = [];
  const parent = await mkdtemp(join(tmpdir(), "svc-data-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  path = join(parent, "data");
});

/** Until mocks are restored, a file takes 18 bytes of what is written at once, as a full disk does. */
async function tearAppends(undo: string): Promise<void> {
  const handle = await openFile(import.meta.filename);
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  vi.spyOn(prototype, "writeFile").mockImplementation(async function (this: FileHandle, text) {
    await this.write((text as string).slice(0, 18));
    throw new Error("no space");
  });
  if (undo !== "works") vi.spyOn(prototype, "truncate").mockRejectedValue(new Error("no space"));
}

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

  it("names the file that a full disk does not take, and leaves no part of it behind", async () => {
    await tearAppends("works");
    await expect(open()).rejects.toThrow(/data\/gateway-id cannot be written: .*space/i);
    vi.restoreAllMocks();
    expect(await readdir(path)).toEqual([]);
    await open();
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

  // proves AUD-26
  it("L2: skips damaged lines on the way to its newest checkpoint, and says so once", async () => {
    const directory = await open("gw_own");
    await directory.appendCheckpoint(checkpoint("gw_own", 3));
    const file = join(path, "checkpoints.ndjson");
    await appendFile(file, '{"log_id":"gw_own{"log_id":"x"}\n\u0000\u0000\n');
    expect(await directory.newestCheckpoint()).toMatchObject({ size: 3 });
    expect(await directory.newestCheckpoint()).toMatchObject({ size: 3 });
    expect(damages).toEqual([{ path: file, skippedLines: 2 }]);
  });

  // proves AUD-26
  it("finds its newest checkpoint behind a megabyte of damage, and none in a file without any", async () => {
    const directory = await open("gw_own");
    const file = join(path, "checkpoints.ndjson");
    await appendFile(file, "damage\n".repeat(150_000));
    expect(await directory.newestCheckpoint()).toBeNull();
    await directory.appendCheckpoint(checkpoint("gw_own", 4));
    await appendFile(file, "damage\n".repeat(150_000));
    expect(await directory.newestCheckpoint()).toMatchObject({ size: 4 });
  });

  // proves AUD-26
  it.each([
    { undo: "works", leftBehind: 0 },
    { undo: "fails too", leftBehind: 18 },
  ])("a torn append leaves no torn line when undoing it $undo", async ({ undo, leftBehind }) => {
    const directory = await open("gw_own");
    await directory.appendCheckpoint(checkpoint("gw_own", 1));
    const file = join(path, "checkpoints.ndjson");
    const before = await stat(file);
    await tearAppends(undo);
    await expect(directory.appendCheckpoint(checkpoint("gw_own", 2))).rejects.toThrow("no space");
    vi.restoreAllMocks();
    expect((await stat(file)).size - before.size).toBe(leftBehind);
    await directory.appendCheckpoint(checkpoint("gw_own", 2));
    const lines = (await readFile(file, "utf8")).split("\n").slice(0, -1);
    expect(lines.map((line) => parseCheckpointLine(`${line}\n`)?.size)).toEqual([1, 2]);
  });

  it("L7: keeps the public keys of before a rotation", async () => {
    const before = await open();
    expect(await before.notePublicKey("first")).toEqual(["first"]);
    expect(await before.notePublicKey("first")).toEqual(["first"]);
    const after = await open();
    expect(await after.notePublicKey("second")).toEqual(["first", "second"]);
  });
});
