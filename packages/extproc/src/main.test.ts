import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";

const MAIN = join(import.meta.dirname, "main.ts");

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function start(env: Readonly<Record<string, string>>): ChildProcess {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [MAIN], { env: { PATH, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  return child;
}

async function stderrOf(child: ChildProcess): Promise<string> {
  let text = "";
  child.stderr?.on("data", (chunk) => {
    text += String(chunk);
  });
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(1);
  return text;
}

/** What the process logs once it serves. */
async function listeningLineOf(child: ChildProcess): Promise<{ readonly metrics: string }> {
  let text = "";
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    const line = text.split("\n").find((candidate) => candidate.includes("svc-extproc listens"));
    if (line?.endsWith("}") === true) return JSON.parse(line) as { metrics: string };
  }
  throw new Error(`svc-extproc ended: ${text}`);
}

/** Milliseconds for a test that starts processes, on a machine that is busy with other things. */
const TIMEOUT_MS = 30_000;

describe("svc-extproc", { timeout: TIMEOUT_MS }, () => {
  it("listens, serves its metrics, and ends on SIGTERM", async () => {
    const child = start({ SVC_EXTPROC_LISTEN: "127.0.0.1:0", SVC_EXTPROC_METRICS_LISTEN: "127.0.0.1:0" });
    const { metrics } = await listeningLineOf(child);
    expect(await (await fetch(`${metrics}/metrics`)).text()).toContain("svc_extproc_defects_total 0");
    expect((await fetch(`${metrics}/healthz`)).status).toBe(200);
    expect((await fetch(`${metrics}/other`)).status).toBe(404);
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  it("a malformed environment stops the start, naming every variable", async () => {
    const text = await stderrOf(start({ SVC_EXTPROC_LISTEN: "9002", SVC_EXTPROC_BODY_MODE: "NONE" }));
    expect(text).toMatch(/SVC_EXTPROC_LISTEN[^]*SVC_EXTPROC_BODY_MODE/);
  });

  it("F1: half of the files for TLS, or none of a name, stops the start, naming the variable", async () => {
    expect(await stderrOf(start({ SVC_EXTPROC_TLS_CERT_FILE: "/none.crt" }))).toMatch(/TLS_KEY_FILE/);
    const both = { SVC_EXTPROC_TLS_CERT_FILE: "/none.crt", SVC_EXTPROC_TLS_KEY_FILE: "/none.key" };
    expect(await stderrOf(start(both))).toMatch(/TLS_CERT_FILE .*none\.crt.*ENOENT/);
  });

  it("F1: warns of a listener in plaintext that others reach", async () => {
    const child = start({ SVC_EXTPROC_LISTEN: "0.0.0.0:0" });
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += String(chunk);
    });
    await vi.waitFor(() => expect(text).toContain("svc-extproc listens"), { timeout: TIMEOUT_MS / 2 });
    expect(text).toContain("any client that reaches it speaks as the proxy");
  });

  it("a missing or malformed route table stops the start, naming file and field", async () => {
    const folder = mkdtempSync(join(tmpdir(), "svc-extproc-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const absent = join(folder, "none.yaml");
    expect(await stderrOf(start({ SVC_EXTPROC_CONFIG: absent }))).toMatch(/none\.yaml.*ENOENT/);
    const file = join(folder, "routes.yaml");
    writeFileSync(file, "routes: [{path: /a, shape: rest}]");
    expect(await stderrOf(start({ SVC_EXTPROC_CONFIG: file }))).toMatch(/routes\.yaml[^]*routes\.0\.tool/);
  });
});
