import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { runCli } from "../run-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "svc-watch-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Watching {
  readonly shown: { out: string; error: string };
  readonly until: (check: () => void) => Promise<void>;
  /** As Ctrl-C does. Resolves to the exit code. */
  readonly interrupt: () => Promise<number>;
}

/** Runs a command that watches, until `interrupt`. */
function watching(...args: readonly string[]): Watching {
  const shown = { out: "", error: "" };
  let end: () => void = () => undefined;
  const ended = runCli(args, {
    environment: {},
    workingDirectory: folder,
    stdin: (async function* () {})(),
    writeOut: (text) => (shown.out += text),
    writeError: (text) => (shown.error += text),
    errorIsTerminal: false,
    onInterrupt: (onEnd) => {
      end = onEnd;
      return () => undefined;
    },
  });
  return {
    shown,
    until: (check) => vi.waitFor(check, { timeout: 10_000, interval: 20 }),
    interrupt: () => {
      end();
      return ended;
    },
  };
}

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

// proves CLI-21
it("runs the cases again after each change, and ends with 130", async () => {
  write("p.yaml", "id: p\ntools: {allowed: [a]}\n");
  write("cases.json", '[{"tool": "a", "expect": {"decision": "allow"}}]');
  const { shown, until, interrupt } = watching("test", "p.yaml", "--mock", "cases.json", "--watch");
  await until(() => expect(shown.error).toContain("watching p.yaml, cases.json"));
  expect(shown.out).toContain("1 passed\n");
  write("p.yaml", "id: p\ntools: {allowed: [b]}\n");
  await until(() => expect(shown.out).toContain("0 passed, 1 failed\n"));
  // An editor puts a new file into the place of the old one. A wrong one does not end the watch.
  write("next", "id: [\n");
  renameSync(join(folder, "next"), join(folder, "p.yaml"));
  await until(() => expect(shown.error).toContain("error: the policy is refused:"));
  expect(await interrupt()).toBe(130);
});

// proves CLI-21
it("validates a folder again when a policy in it changes or comes", async () => {
  mkdirSync(join(folder, "all/deep"), { recursive: true });
  write("all/one.yaml", "id: one\ntools: {allowed: [a]}\n");
  const { shown, until, interrupt } = watching("validate", "all", "--watch");
  await until(() => expect(shown.error).toContain("watching all"));
  expect(shown.out).toBe("all/one.yaml: valid, no findings\n");
  write("all/deep/two.yaml", "id: two\ntoolz: {}\n");
  await until(() => expect(shown.out).toContain("all/deep/two.yaml: refused"));
  write("all/one.yaml", "id: [\n");
  await until(() => expect(shown.out).toContain("all/one.yaml: refused"));
  expect(await interrupt()).toBe(130);
});

it("refuses to watch stdin", async () => {
  const { shown, interrupt } = watching("validate", "-", "--watch");
  expect([await interrupt(), shown.out]).toEqual([2, ""]);
  expect(shown.error).toContain("--watch: expected files and folders, found -");
});
