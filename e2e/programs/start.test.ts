// peers: curl
// long: starts the whole service once for each case

import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { startProcess } from "../support/processes/child-process.ts";
import { missing } from "../support/processes/missing-peers.ts";
import { type ProgramResult, runProgram } from "../support/processes/run-program.ts";
import { FREE_PORTS, READY, START_ENTRY, startAll } from "../support/processes/start-process.ts";
import {
  makeTemporaryDirectory,
  type TemporaryDirectory,
  temporaryDirectory,
} from "../support/processes/temporary-directory.ts";
import { createPolicy, execute } from "../support/server/api.ts";
import { SERVER_ENTRY, serverOfTest, startServer } from "../support/server/server-process.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** Runs a printed line as a user who copies it would. */
async function runLine(line: string): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await runProgram("sh", ["-c", line]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe("the start of everything", () => {
  // proves OPS-01
  it("is one command for the machine's own npm, whatever its version of Node", async () => {
    const running = await startProcess("npm", ["start"], {
      env: { ...FREE_PORTS, SVC_DATA_DIR: await temporaryDirectory() },
      cwd: ROOT,
      ready: READY,
    });
    onTestFinished(async () => void (await running.stop("SIGKILL")));
    expect(running.output()).toMatch(/^gateway and control endpoints {2}http:\/\/127\.0\.0\.1:\d+$/m);
    expect(await running.stop("SIGINT")).toBe(0);
  });

  // proves OPS-04
  // skip: the lines need curl
  it.skipIf(missing.curl)("prints three commands to copy, and each does what it says", async () => {
    const demo = await startAll({ SVC_DATA_DIR: await temporaryDirectory() });
    const printed = demo.lines.filter((line) => line.trim().startsWith("curl "));
    expect(printed).toHaveLength(3);
    const [allowed = "", denied = "", kill = ""] = printed;
    expect(await runLine(allowed)).toMatchObject({ decision: "allow", policy_id: "demo" });
    expect(await runLine(denied)).toMatchObject({ decision: "deny", reason_code: "tool_denied" });
    // A gateway on a busy machine may acknowledge later than the first answer waits for it.
    await expect
      .poll(() => runLine(kill))
      .toMatchObject({ status: "active", enforced: true, scope: "agent" });
    expect(await runLine(allowed)).toMatchObject({ decision: "deny", reason_code: "kill_switch" });
  });

  it("stops cleanly, even when the signal comes twice, and continues after a restart", async () => {
    const dataDir = await temporaryDirectory();
    const demo = await startAll({ SVC_DATA_DIR: dataDir });
    demo.signal("SIGINT");
    demo.signal("SIGINT");
    expect(await demo.exited).toBe(0);
    const again = await startAll({ SVC_DATA_DIR: dataDir });
    expect(again.output()).not.toContain("demonstration policy loaded");
    expect(await again.stop("SIGINT")).toBe(0);
  });

  // proves AUD-13
  it.each([
    { name: "start", entry: START_ENTRY },
    { name: "svc-server", entry: SERVER_ENTRY },
  ])("refuses a data directory that is in use, saying so: $name", async ({ entry }) => {
    const dataDir = await temporaryDirectory();
    await startAll({ SVC_DATA_DIR: dataDir });
    const env = { ...FREE_PORTS, SVC_DATA_DIR: dataDir, SVC_AUTH: "off" };
    const { exitCode, stderr } = await runProgram(process.execPath, [entry], env);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`data directory ${dataDir}: in use by another process`);
  });

  it("refuses a port that is taken, saying which", async () => {
    const { port } = await serverOfTest();
    const env = {
      SVC_LISTEN: `127.0.0.1:${String(port)}`,
      SVC_DATA_DIR: await temporaryDirectory(),
      SVC_AUTH: "off",
    };
    const { exitCode, stderr } = await runProgram(process.execPath, [SERVER_ENTRY], env);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`cannot listen on 127.0.0.1:${String(port)}`);
  });
});

/** Exchanges rows 6 and 7. */
const SWAP = `
UPDATE audit_rows SET seq = 9999 WHERE seq = 6;
UPDATE audit_rows SET seq = 6 WHERE seq = 7;
UPDATE audit_rows SET seq = 7 WHERE seq = 9999`;

/** Rolls the log back to a size at which it is sound in itself. */
function cutTo(size: number): string {
  const kept = String(size);
  return `
UPDATE audit_logs SET size = ${kept}, head_hash = (SELECT hash FROM audit_rows WHERE seq = ${kept} - 1);
DELETE FROM audit_rows WHERE seq >= ${kept};
DELETE FROM checkpoints WHERE size > ${kept}`;
}

// proves AUD-10
describe("svc-cli compliance audit-verify", () => {
  const verify = (url: string, ...more: string[]): Promise<ProgramResult> =>
    runCli(["compliance", "audit-verify", "--url", url, ...more]);

  let original: TemporaryDirectory;
  beforeAll(async () => {
    original = await makeTemporaryDirectory();
    const server = await startServer({ dataDir: original.path });
    expect((await createPolicy(server.url)).status).toBe(201);
    for (let calls = 0; calls < 20; calls += 1) await execute(server.url);
    expect((await verify(server.url)).exitCode).toBe(0);
    expect(await server.stop()).toBe(0);
  });
  afterAll(async () => {
    await original?.remove();
  });

  /** A data directory with some history, which no process uses. */
  async function history(): Promise<string> {
    const dataDir = await temporaryDirectory();
    await cp(original.path, dataDir, { recursive: true });
    return dataDir;
  }

  /** Changes rows as an attacker with the files can: triggers stop only programs that leave them in place. */
  function tamper(dataDir: string, sql: string): void {
    const database = new DatabaseSync(join(dataDir, "svc.db"));
    try {
      const triggers = database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger'").all();
      for (const { name } of triggers) database.exec(`DROP TRIGGER ${String(name)}`);
      database.exec(sql);
    } finally {
      database.close();
    }
  }

  // proves AUD-06
  it.each([
    {
      name: "a changed byte",
      sql: "UPDATE audit_rows SET bytes = CAST(replace(bytes, '10', '99') AS BLOB) WHERE seq = 7",
    },
    { name: "a changed hash", sql: "UPDATE audit_rows SET hash = zeroblob(32) WHERE seq = 7" },
    { name: "a missing row", sql: "DELETE FROM audit_rows WHERE seq = 7" },
    { name: "two rows that changed places", sql: SWAP },
    { name: "a changed checkpoint", sql: "UPDATE checkpoints SET note = replace(note, '\n2', '\n1')" },
  ])("L1: finds $name and exits 1", async ({ sql }) => {
    const dataDir = await history();
    tamper(dataDir, sql);
    const { url } = await serverOfTest({ dataDir });
    const { exitCode, stdout, stderr } = await verify(url);
    expect([exitCode, /broken/i.test(stdout + stderr)]).toEqual([1, true]);
  });

  // proves AUD-07
  it.each([
    { name: "cut off rows", sql: (size: number) => cutTo(size) },
    { name: "no last rows", sql: () => "DELETE FROM audit_rows WHERE seq > 7" },
    { name: "no rows", sql: () => "DELETE FROM audit_rows; DELETE FROM checkpoints; DELETE FROM audit_logs" },
  ])("L2: the server does not start over a log with $name", async ({ sql }) => {
    const dataDir = await history();
    tamper(dataDir, sql(10));
    await expect(serverOfTest({ dataDir })).rejects.toThrow(/lost rows|head is missing|was rewritten/);
  });

  it("L2: kept checkpoints reveal a truncation that also removed the checkpoints of the server", async () => {
    const dataDir = await history();
    const server = await serverOfTest({ dataDir });
    const kept = join(dataDir, "checkpoints.ndjson");
    expect((await verify(server.url, "--checkpoints", kept)).exitCode).toBe(0);
    const truncated = await history();
    tamper(truncated, `${cutTo(4)}; DELETE FROM checkpoints`);
    for (const file of ["checkpoints.ndjson", "control-mark.json"])
      await rm(join(truncated, file), { force: true });
    const { url } = await serverOfTest({ dataDir: truncated });
    expect((await verify(url, "--checkpoints", kept)).exitCode).toBe(1);
  });

  it("L2: kept checkpoints of another key are not judged", async () => {
    const kept = join(await history(), "checkpoints.ndjson");
    const other = await serverOfTest();
    expect((await createPolicy(other.url)).status).toBe(201);
    expect((await verify(other.url, "--checkpoints", kept)).exitCode).toBe(5);
  });

  it("exits 3 when nothing answers", async () => {
    const server = await serverOfTest();
    await server.stop();
    const { exitCode, stdout } = await verify(server.url);
    expect([exitCode, stdout]).toEqual([3, ""]);
  });

  it("exits 4 when its key is refused", async () => {
    const { url } = await serverOfTest({ env: { SVC_AUTH: "on" } });
    const key = { SVC_API_KEY: `svc_nobody_${"x".repeat(43)}` };
    const args = [CLI_ENTRY, "compliance", "audit-verify", "--url", url];
    expect((await runProgram(process.execPath, args, key)).exitCode).toBe(4);
  });
});
