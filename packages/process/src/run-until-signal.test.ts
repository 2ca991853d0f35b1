import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";

const MODULE = new URL("run-until-signal.ts", import.meta.url).href;

/** Runs a program whose `start` is the given source; `print` writes a line that the test can wait for. */
function run(start: string): { child: ChildProcess; output: () => string; ended: Promise<number | null> } {
  const source = `
    import { runUntilSignal } from ${JSON.stringify(MODULE)};
    const print = (line) => process.stdout.write(line + "\\n");
    await runUntilSignal("svc-test", ${start});
  `;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source], { stdio: "pipe" });
  let text = "";
  const collect = (piece: Buffer): void => {
    text += piece.toString();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  return { child, output: () => text, ended: once(child, "close").then(([code]) => code as number | null) };
}

/** A program that runs until it is closed; closing takes a moment and then whatever `behind` does. */
const RUNNING = (behind: string) => `async () => {
  const alive = setInterval(() => {}, 1_000);
  setImmediate(() => print("started"));
  return { close: async () => {
    print("closing");
    await new Promise((resolve) => setTimeout(resolve, 200));
    clearInterval(alive);
    ${behind}
    print("closed");
  } };
}`;

describe("runUntilSignal", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("closes on %s and exits 0", async (signal) => {
    const { child, output, ended } = run(RUNNING(""));
    await expect.poll(output, { timeout: 10_000 }).toContain("started");
    child.kill(signal);
    expect(await ended).toBe(0);
    expect(output()).toBe("started\nclosing\nclosed\n");
  });

  it("closes once, however many signals come", async () => {
    const { child, output, ended } = run(RUNNING(""));
    await expect.poll(output, { timeout: 10_000 }).toContain("started");
    child.kill("SIGINT");
    await expect.poll(output).toContain("closing");
    child.kill("SIGINT");
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(output()).toBe("started\nclosing\nclosed\n");
  });

  it("prints what stopped the start, and exits 1", async () => {
    const { output, ended } = run('async () => { throw new Error("the port is taken"); }');
    expect(await ended).toBe(1);
    expect(output()).toBe("svc-test does not start: the port is taken\n");
  });

  it("prints what stopped the close, and exits 1", async () => {
    const { child, output, ended } = run(RUNNING('throw new Error("the store is gone");'));
    await expect.poll(output, { timeout: 10_000 }).toContain("started");
    child.kill("SIGTERM");
    expect(await ended).toBe(1);
    expect(output()).toContain("svc-test did not stop cleanly: the store is gone\n");
  });
});
