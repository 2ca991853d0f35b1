// long: it starts a server again for each damage
import { execFileSync } from "node:child_process";
import { appendFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { signCheckpoint } from "@svc/audit-log/checkpoint";
import { parseCheckpointLine, renderCheckpointLine } from "@svc/audit-log/checkpoint-line";
import { generateSigningKey, parseSigner } from "@svc/audit-log/note-key";
import { expect, it, onTestFinished, vi } from "vitest";
import { CLI_ENTRY } from "../../support/cli/cli-entry.ts";
import { withCliKey } from "../../support/cli/cli-key.ts";
import { cannotMount } from "../../support/processes/missing-peers.ts";
import { runProgram } from "../../support/processes/run-program.ts";
import { temporaryDirectory } from "../../support/processes/temporary-directory.ts";
import { createPolicy, execute } from "../../support/server/api.ts";
import { makeKeys } from "../../support/server/role-keys.ts";
import { serverOfTest } from "../../support/server/server-process.ts";

const CHECKPOINTS = "checkpoints.ndjson";

const MEBIBYTE = 1024 * 1024;
const DISK_MIB = 16;

/** Bytes of a page of tmpfs: a write that needs a new one fails on a full disk, after the old one is full. */
const PAGE_BYTES = 4_096;

/** Less than a checkpoint line: the next line begins in the file's last page and does not fit. */
const ROOM_BYTES = 100;

async function ownFileSystem(): Promise<string> {
  const path = await temporaryDirectory();
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${String(DISK_MIB)}m`, "svc-test", path]);
  onTestFinished(() => void execFileSync("umount", [path]));
  return path;
}

/** A checkpoint of another log whose line ends ROOM_BYTES before the end of a page. */
function lineToTheEdge(): string {
  const signer = parseSigner("svc-test", generateSigningKey());
  for (let length = 1_500; ; length += 1) {
    const head = { logId: "x".repeat(length), size: 1, hash: new Uint8Array(32) };
    const line = renderCheckpointLine({ ...head, note: signCheckpoint(signer, head) });
    if (line.length > PAGE_BYTES - ROOM_BYTES) return line;
  }
}

const linesOf = async (path: string): Promise<readonly string[]> =>
  (await readFile(path, "utf8")).split("\n").slice(0, -1);

async function auditVerify(url: string, checkpoints: string) {
  const args = ["compliance", "audit-verify", "--url", url, "--checkpoints", checkpoints];
  return runProgram(process.execPath, [CLI_ENTRY, ...args], await withCliKey(args, {}));
}

// proves AUD-26, AUD-20
// skip: mounting a file system takes root; continuous integration has it and fails without.
it.skipIf(cannotMount())(
  "a full disk leaves no torn line in the checkpoint file: audit and the next start go on with it",
  async () => {
    const dataDir = await ownFileSystem();
    const file = join(dataDir, CHECKPOINTS);
    const filler = join(dataDir, "filler");
    await writeFile(file, lineToTheEdge(), { mode: 0o600 });
    const server = await serverOfTest({ dataDir });
    expect((await createPolicy(server.url)).status).toBe(201);
    await makeKeys(server.url);
    const failed = (): boolean =>
      server.output().includes("a checkpoint of the audit log could not be written");
    while (!failed()) {
      // The row is durable before the disk is full; its checkpoint, within a second, is mostly not. Where it
      // was faster than the filler, no further line comes: the next round tries again.
      const size = (await linesOf(file)).length;
      await execute(server.url);
      await writeFile(filler, Buffer.alloc(DISK_MIB * MEBIBYTE)).catch(() => undefined);
      await vi.waitUntil(async () => failed() || (await linesOf(file)).length > size, { timeout: 10_000 });
      await rm(filler);
    }
    await vi.waitFor(async () => {
      expect((await execute(server.url)).body["decision"]).toBe("allow");
    }, 10_000);
    await server.stop("SIGTERM");
    const lines = await linesOf(file);
    expect(lines.filter((line) => parseCheckpointLine(`${line}\n`) === null)).toEqual([]);
    const again = await serverOfTest({ dataDir });
    // Without the first line, which is not of this server.
    const kept = join(dataDir, "kept.ndjson");
    await writeFile(kept, `${lines.slice(1).join("\n")}\n`);
    const { exitCode, stdout } = await auditVerify(again.url, kept);
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("intact") });
  },
);

// proves AUD-26, AUD-27
it("damaged lines of the checkpoint file stop neither the start of the server nor the audit", async () => {
  const dataDir = await temporaryDirectory();
  const file = join(dataDir, CHECKPOINTS);
  const first = await serverOfTest({ dataDir });
  expect((await createPolicy(first.url)).status).toBe(201);
  await first.stop("SIGTERM");
  const whole = await linesOf(file);
  const [line = ""] = whole;
  await appendFile(file, `${line.slice(0, 18)}${line}\n`);
  // The next checkpoint follows; then the start of a line without an end.
  const second = await serverOfTest({ dataDir });
  expect((await execute(second.url)).body["decision"]).toBe("allow");
  expect(second.output()).toMatch(/"skippedLines":1.*lines of the checkpoint file are damaged/);
  await second.stop("SIGTERM");
  await appendFile(file, line.slice(0, 40));
  const third = await serverOfTest({ dataDir });
  const { exitCode, stdout, stderr } = await auditVerify(third.url, file);
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("intact") });
  expect(stderr).toContain(`line ${String(whole.length + 1)} is not a checkpoint and was skipped`);
});
