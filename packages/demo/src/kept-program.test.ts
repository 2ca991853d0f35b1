import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startProgram } from "./kept-program.ts";

const MODULE = JSON.stringify(new URL("./kept-program.ts", import.meta.url).href);

/** Prints its own process id, which becomes that of the sleeping program. */
const SLEEP = 'echo "$$"; exec sleep 60';

/** For busy machines. */
const PATIENTLY = { timeout: 10_000 };

function isRunning(pid: number): boolean {
  const stat = `/proc/${String(pid)}/stat`;
  // One that nobody has waited for yet is over all the same.
  return existsSync(stat) && !/\) Z /.test(readFileSync(stat, "utf8"));
}

async function sleepingProgram(script = SLEEP) {
  const program = startProgram("sh", { args: ["-c", script], cwd: "." });
  await expect.poll(() => program.output(), PATIENTLY).toMatch(/^\d+$/);
  return { program, pid: Number(program.output()) };
}

describe("a kept program", { timeout: 30_000 }, () => {
  it("ends when it is stopped", async () => {
    const { program, pid } = await sleepingProgram();
    expect(isRunning(pid)).toBe(true);
    await program.stop();
    expect(isRunning(pid)).toBe(false);
  });

  it("ends also when it does not listen to the polite signal", async () => {
    const { program, pid } = await sleepingProgram("trap '' TERM; echo \"$$\"; while :; do sleep 0.1; done");
    await program.stop();
    await expect.poll(() => isRunning(pid), PATIENTLY).toBe(false);
  });

  it("ends with the process that started it, however that ends", async () => {
    const script = `
      import { startProgram } from ${MODULE};
      const program = startProgram("sh", { args: ["-c", ${JSON.stringify(SLEEP)}], cwd: "." });
      setInterval(() => process.stdout.write(program.output() + "\\n"), 20);`;
    const parent = spawn(process.execPath, ["--input-type=module-typescript", "-e", script]);
    let printed = "";
    parent.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString("utf8");
    });
    await expect.poll(() => printed.trim(), PATIENTLY).toMatch(/^\d+/);
    const pid = Number.parseInt(printed.trim(), 10);
    expect(isRunning(pid)).toBe(true);
    parent.kill("SIGKILL");
    await once(parent, "exit");
    await expect.poll(() => isRunning(pid), PATIENTLY).toBe(false);
  });

  it("reports when it has ended by itself, and what it printed", async () => {
    const program = startProgram("sh", { args: ["-c", "echo no such file >&2; exit 3"], cwd: "." });
    expect(await program.ended).toEqual([3, null]);
    await expect.poll(() => program.output(), PATIENTLY).toBe("no such file");
    await program.stop();
  });

  it("reports a program that cannot be started", async () => {
    const program = startProgram("/nowhere/envoy", { args: [], cwd: "." });
    expect(await program.ended).toEqual([127, null]);
    await expect.poll(() => program.output(), PATIENTLY).toContain("/nowhere/envoy");
  });
});
