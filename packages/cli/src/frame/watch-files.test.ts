import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { runCli } from "../run-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "svc-watch-"));
afterAll(() => rmSync(folder, { recursive: true }));

// proves CLI-21
it("runs the cases again after each change, and ends with 130", async () => {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write("p.yaml", "id: p\ntools: {allowed: [a]}\n");
  write("cases.json", '[{"tool": "a", "expect": {"decision": "allow"}}]');
  let [out, error] = ["", ""];
  let interrupt: () => void = () => undefined;
  const ended = runCli(["test", "p.yaml", "--mock", "cases.json", "--watch"], {
    environment: {},
    workingDirectory: folder,
    stdin: (async function* () {})(),
    writeOut: (text) => (out += text),
    writeError: (text) => (error += text),
    errorIsTerminal: false,
    onInterrupt: (end) => {
      interrupt = end;
      return () => undefined;
    },
  });
  const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 20 });
  await until(() => expect(error).toContain("watching p.yaml, cases.json"));
  expect(out).toContain("1 passed\n");
  write("p.yaml", "id: p\ntools: {allowed: [b]}\n");
  await until(() => expect(out).toContain("0 passed, 1 failed\n"));
  // An editor puts a new file into the place of the old one. A wrong one does not end the watch.
  write("next", "id: [\n");
  renameSync(join(folder, "next"), join(folder, "p.yaml"));
  await until(() => expect(error).toContain("error: the policy is refused:"));
  interrupt();
  expect(await ended).toBe(130);
});
