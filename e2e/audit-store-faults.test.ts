import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createPolicy, execute } from "./support/api.ts";
import { checkedExport } from "./support/audit-export.ts";
import { type ServerProcess, startServer } from "./support/server-process.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

/** Milliseconds within which a call is answered whatever the store does: the audit deadline and some scheduling. */
const ANSWER_LIMIT_MS = 4_000;

/** The embedded store's file in the data directory. */
const DATABASE_FILE = "svc.sqlite";

const MEBIBYTE = 1024 * 1024;
const FULL_DISK_MIB = 4;
const POLICY = "id: refunds\nagent_id: agent-1\ntools: { allowed: ['payments.*'] }\n";

let server: ServerProcess | null = null;

afterEach(async () => {
  await server?.stop("SIGKILL");
  server = null;
});

/** Makes a system call of a running process fail or dawdle. Resolves, once that is in force, with what ends it. */
async function injectFault(pid: number, fault: string): Promise<() => Promise<void>> {
  const [call] = fault.split(":");
  const args = ["-f", "-p", String(pid), "-e", `trace=${call ?? ""}`, "-e", `inject=${fault}`];
  const tracer = spawn("strace", args, { stdio: ["ignore", "ignore", "pipe"] });
  const detach = async (): Promise<void> => {
    if (tracer.exitCode !== null || tracer.signalCode !== null) return;
    tracer.kill("SIGINT");
    await once(tracer, "exit");
  };
  onTestFinished(detach);
  await new Promise<void>((resolve, reject) => {
    tracer.once("exit", () => reject(new Error("strace could not attach")));
    tracer.stderr.once("data", () => resolve());
  });
  return detach;
}

/** A file system of its own, so that it can be filled and made read-only. */
async function ownFileSystem(): Promise<string> {
  const path = await temporaryDirectory();
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${String(FULL_DISK_MIB)}m`, "svc-test", path]);
  onTestFinished(async () => {
    await server?.stop("SIGKILL");
    execFileSync("umount", [path]);
  });
  return path;
}

async function serverOn(dataDir: string, wrapper: readonly string[] = []): Promise<ServerProcess> {
  server = await startServer({ dataDir, wrapper });
  expect((await createPolicy(server.url, POLICY)).status).toBe(201);
  expect((await execute(server.url)).body["decision"]).toBe("allow");
  return server;
}

/** Calls until the answer is a deny for want of an audit row; every answer comes in time, and none is a false allow. */
async function expectDenied({ url }: ServerProcess): Promise<void> {
  await vi.waitFor(
    async () => {
      const startedAt = performance.now();
      const { body } = await execute(url);
      expect(performance.now() - startedAt).toBeLessThan(ANSWER_LIMIT_MS);
      expect(body).toMatchObject({ decision: "deny", reason_code: "audit_unavailable", fail_closed: true });
    },
    { timeout: 20_000, interval: 1 },
  );
}

async function expectRecovered({ url }: ServerProcess): Promise<void> {
  await vi.waitFor(async () => expect((await execute(url)).body["decision"]).toBe("allow"), {
    timeout: 20_000,
    interval: 50,
  });
  await checkedExport(url);
}

describe("the audit store", () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await temporaryDirectory();
  });

  // proves AUD-20
  it("L5: on a full disk every call is denied in time, and calls pass again once there is space", async () => {
    const path = await ownFileSystem();
    const running = await serverOn(path);
    const filler = join(path, "filler");
    await writeFile(filler, Buffer.alloc(FULL_DISK_MIB * MEBIBYTE)).catch(() => undefined);
    await expectDenied(running);
    await rm(filler);
    await expectRecovered(running);
  });

  // proves AUD-20
  it("L5: on a disk that refuses to be written every call is denied, until it can be written again", async () => {
    const running = await serverOn(dataDir);
    const detach = await injectFault(running.pid, "pwrite64:error=EROFS");
    await expectDenied(running);
    await detach();
    await expectRecovered(running);
  });

  it("L5: on a disk that takes 200 ms to sync calls are answered in time, and each allow has its row", async () => {
    const running = await serverOn(dataDir);
    const detach = await injectFault(running.pid, "fdatasync:delay_exit=200000");
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => execute(running.url)));
    expect(performance.now() - startedAt).toBeLessThan(ANSWER_LIMIT_MS);
    await detach();
    const rows = new Set(
      (await checkedExport(running.url)).map(({ logId, seq }) => `${logId}.${String(seq)}`),
    );
    const allows = answers.filter(({ body }) => body["decision"] === "allow");
    expect(allows.length).toBeGreaterThan(0);
    expect(allows.filter(({ body }) => !rows.has(String(body["decision_id"])))).toEqual([]);
  });

  it("L5: with its file unlinked every call is denied: nothing is written where nobody will find it", async () => {
    const running = await serverOn(dataDir);
    await rm(join(dataDir, DATABASE_FILE));
    await expectDenied(running);
  });

  it("L5: with its file moved away every call is denied, until it is back", async () => {
    const running = await serverOn(dataDir);
    const path = join(dataDir, DATABASE_FILE);
    await rename(path, `${path}.away`);
    await expectDenied(running);
    await rename(`${path}.away`, path);
    await expectRecovered(running);
  });
});
