import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";

/** A file on which every write fails as on a full disk. */
const FULL = "/dev/full";

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

/** Runs svc-cli with one of its outputs on a full disk, and reads the other one. */
async function runFull(args: readonly string[], full: "stdout" | "stderr"): Promise<Ended> {
  const disk = openSync(FULL, "w");
  onTestFinished(() => closeSync(disk));
  const child = spawn(process.execPath, [CLI_ENTRY, ...args], {
    stdio: ["ignore", full === "stdout" ? disk : "pipe", full === "stderr" ? disk : "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
  const { promise, resolve } = Promise.withResolvers<Ended>();
  child.on("close", (code) => resolve({ code, text }));
  return promise;
}

// skip: only Linux has /dev/full
describe.skipIf(!existsSync(FULL))("an output on a full disk", () => {
  // proves CLI-12
  it("ends a command that has a result with 70, and one line", async () => {
    expect(await runFull(["version"], "stdout")).toEqual({
      code: 70,
      text: "error: the output was not written whole: ENOSPC\n",
    });
  });

  // proves CLI-12
  it("keeps the exit code of a negative result", async () => {
    const folder = await temporaryDirectory();
    const policy = join(folder, "p.yaml");
    await writeFile(policy, "id: [\n");
    const { code, text } = await runFull(["validate", policy], "stdout");
    expect(text).not.toContain("at ");
    expect(code).toBe(1);
  });

  // proves CLI-12
  it("keeps the exit code of a command whose message is lost", async () => {
    const killing = ["kill", "agent", "a", "--reason", "r", "--by", "b", "--url", "http://127.0.0.1:1"];
    expect((await runFull(killing, "stderr")).code).toBe(3);
  });
});
