import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

// proves OPS-90
it("svc-cli dev refuses a form of log lines that it does not know", async () => {
  const { exitCode, out, error } = await runCaptured(["dev"], { environment: { SVC_LOG_FORMAT: "pretty" } });
  expect([exitCode, out]).toEqual([2, ""]);
  expect(error).toContain('SVC_LOG_FORMAT: expected one of auto, text, json, found "pretty"');
});

// proves CLI-70
it.each([
  [["--policies", "later", "--server", "none.js"], "there is none at"],
  [["--policies", "file"], "--policies: expected a folder, found a file at"],
  [["--mcp", "npx -y some-server --token hunter2"], "npx -y supergateway --stdio"],
])("svc-cli dev takes a folder that is not there yet, and says what to do: %j", async (args, says) => {
  const workingDirectory = mkdtempSync(join(tmpdir(), "svc-dev-"));
  onTestFinished(() => rmSync(workingDirectory, { recursive: true, force: true }));
  writeFileSync(join(workingDirectory, "file"), "");
  const { exitCode, error } = await runCaptured(["dev", ...args], { workingDirectory });
  expect([exitCode, error]).toEqual([2, expect.stringContaining(says)]);
  expect(error).not.toContain("hunter2");
});
