import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

const POLICY = "id: p\ntools: { allowed: [ pay ] }\n";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-input-"));
  writeFileSync(join(folder, "p.yaml"), POLICY);
  execFileSync("mkfifo", [join(folder, "pipe.yaml"), join(folder, "svc.yaml")]);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("a pipe by name", () => {
  // proves CLI-11
  it.each([
    ["validate", "pipe.yaml"],
    ["validate", "."],
    ["fmt", "pipe.yaml"],
    ["test", "p.yaml", "--mock", "pipe.yaml"],
    ["explain", "p.yaml", "pipe.yaml"],
    ["diff", "p.yaml", "pipe.yaml"],
    ["deploy", "pipe.yaml", "--url", "http://127.0.0.1:1"],
    ["guardrails", "test", "pipe.yaml"],
    ["approvals", "approve", "a", "--edit-args", "@pipe.yaml", "--url", "http://127.0.0.1:1"],
    ["compliance", "audit-verify", "--file", "pipe.yaml", "--public-key", "pipe.yaml"],
    ["compliance", "verify-certificate", "pipe.yaml", "--public-key", "p+00000000+AAAA"],
    ["drill", "verify-report", "pipe.yaml", "--public-key", "pipe.yaml"],
    ["status", "--env", "prod"],
    ["status", "--url", "http://127.0.0.1:1"],
  ])("is refused and not waited for by %s %s %s %s", async (...args) => {
    const environment = { SVC_API_KEY_FILE: join(folder, "pipe.yaml") };
    const { exitCode, error } = await runCaptured(args, { workingDirectory: folder, environment });
    expect(exitCode).toBe(2);
    expect(error).toMatch(/^error: [^\n]*(?:\n {2}[^\n]*)?\n$/);
  });
});
