import { appendFile, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signCheckpoint } from "@svc/audit-log/checkpoint";
import type { LogCheckpoint } from "@svc/audit-log/checkpoint-line";
import { parseSigner } from "@svc/audit-log/note-key";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DataDirectory, openDataDirectory } from "./data-directory.ts";

let path: string;
let file: string;

beforeEach(async () => {
  path = join(await mkdtemp(join(tmpdir(), "svc-data-")), "data");
  file = join(path, "checkpoints.ndjson");
});
afterEach(() => rm(join(path, ".."), { recursive: true, force: true }));

const open = () => openDataDirectory({ path, gatewayId: null });

function checkpointOf({ gatewayId, signingKeyPem }: DataDirectory, size: number): LogCheckpoint {
  const signer = parseSigner("svc-audit", signingKeyPem);
  const head = { logId: gatewayId, size, hash: new Uint8Array(32) };
  return { logId: gatewayId, size, note: signCheckpoint(signer, head) };
}

describe("the data directory", () => {
  it("keeps gateway id and signing key, for its own user only", async () => {
    const first = await open();
    const second = await open();
    expect([second.gatewayId, second.signingKeyPem]).toEqual([first.gatewayId, first.signingKeyPem]);
    const modes = [path, join(path, "signing-key.pem"), join(path, "gateway-id")].map(async (name) =>
      ((await stat(name)).mode & 0o777).toString(8),
    );
    expect(await Promise.all(modes)).toEqual(["700", "600", "600"]);
  });

  it("has no newest checkpoint before the first", async () => {
    expect(await (await open()).newestCheckpoint()).toBeNull();
  });

  it("L2: finds the newest checkpoint of its own log again, as it was signed", async () => {
    const directory = await open();
    for (const size of [1, 7]) await directory.appendCheckpoint(checkpointOf(directory, size));
    await directory.appendCheckpoint({ ...checkpointOf(directory, 9), logId: "gw_other" });
    expect(await (await open()).newestCheckpoint()).toEqual(checkpointOf(directory, 7));
  });

  it("L2: finds it in a file longer than what is read of it", async () => {
    const directory = await open();
    const lines = Array.from({ length: 800 }, (_, index) => checkpointOf(directory, index + 1));
    for (const line of lines) await directory.appendCheckpoint(line);
    expect((await stat(file)).size).toBeGreaterThan(64 * 1024);
    expect((await (await open()).newestCheckpoint())?.size).toBe(800);
  });

  it("drops the start of a line that a crash left, and nothing else", async () => {
    const directory = await open();
    await directory.appendCheckpoint(checkpointOf(directory, 3));
    const whole = await readFile(file);
    await appendFile(file, whole.subarray(0, 60));
    expect((await (await open()).newestCheckpoint())?.size).toBe(3);
    expect(await readFile(file)).toEqual(whole);
  });

  it("L2: does not take a line that it cannot read for no checkpoint", async () => {
    const directory = await open();
    await directory.appendCheckpoint(checkpointOf(directory, 3));
    await appendFile(file, '{"log_id":"x"}\n');
    await expect((await open()).newestCheckpoint()).rejects.toThrow("expected a checkpoint in every line");
  });
});
