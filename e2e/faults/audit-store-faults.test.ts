// peers: postgres, strace
// long: it starts a server for each fault

import { execFileSync } from "node:child_process";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CONDITION_MS } from "@svc/contract/testing/condition-limit";
import { startPostgresServer } from "@svc/store/testing/postgres-server";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { injectFault } from "../support/processes/inject-fault.ts";
import { cannotMount, missing } from "../support/processes/missing-peers.ts";
import { signalFamily } from "../support/processes/process-family.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { steadyLoad } from "../support/requests/load.ts";
import { type Answer, createPolicy, execute, PAYMENTS_POLICY } from "../support/server/api.ts";
import { allowedIds, checkedExport, withoutRow } from "../support/server/audit-export.ts";
import { type ServerProcess, serverOfTest } from "../support/server/server-process.ts";

/** Milliseconds within which calls pass again after a fault has ended. */
const RECOVERY_LIMIT_MS = 10_000;

/** The embedded store's file in the data directory. */
const DATABASE_FILE = "svc.db";

const MEBIBYTE = 1024 * 1024;
const FULL_DISK_MIB = 4;

/** A deny because there is no audit row, or no control state that is fresh enough. */
const DENIED = {
  decision: "deny",
  reason_code: expect.stringMatching(/^(?:audit_unavailable|control_state_unverified)$/),
  fail_closed: true,
};

/** A server that has allowed one call, and every answer that it has given. */
class Subject {
  readonly server: ServerProcess;
  readonly answers: Answer[] = [];

  constructor(server: ServerProcess) {
    this.server = server;
  }

  static async start(dataDir: string, { env = {}, policy = PAYMENTS_POLICY } = {}): Promise<Subject> {
    const subject = new Subject(await serverOfTest({ dataDir, env }));
    expect((await createPolicy(subject.server.url, policy)).status).toBe(201);
    expect((await subject.call()).body["decision"]).toBe("allow");
    return subject;
  }

  async readiness(): Promise<number> {
    return (await fetch(`${this.server.url}/readyz`)).status;
  }

  async call(): Promise<Answer> {
    const answer = await execute(this.server.url);
    this.answers.push(answer);
    return answer;
  }

  /** Calls until the fault shows, and some more: once it shows, every call is denied. */
  async expectDenied(): Promise<void> {
    await vi.waitFor(async () => expect((await this.call()).body).toMatchObject(DENIED), {
      timeout: 20_000,
      interval: 1,
    });
    for (let more = 0; more < 3; more += 1) expect((await this.call()).body).toMatchObject(DENIED);
  }

  async expectRecovered(): Promise<void> {
    await vi.waitFor(async () => expect((await this.call()).body["decision"]).toBe("allow"), {
      timeout: RECOVERY_LIMIT_MS,
      interval: 50,
    });
    await this.expectBorneOut();
  }

  /** I1, I3: the chain holds, and every allow that a client received has its row. */
  async expectBorneOut(): Promise<void> {
    expect(withoutRow(allowedIds(this.answers), await checkedExport(this.server.url))).toEqual([]);
  }
}

/** A file system of its own, so that it can be filled. */
async function ownFileSystem(): Promise<string> {
  const path = await temporaryDirectory();
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${String(FULL_DISK_MIB)}m`, "svc-test", path]);
  onTestFinished(() => void execFileSync("umount", [path]));
  return path;
}

// proves AUD-02, AUD-20
describe("the embedded audit store", () => {
  // skip: mounting a file system takes root; continuous integration has it and fails without.
  it.skipIf(cannotMount())(
    "L5: on a full disk every call is denied in time, and calls pass again once there is space",
    async () => {
      const path = await ownFileSystem();
      const subject = await Subject.start(path);
      const filler = join(path, "filler");
      await writeFile(filler, Buffer.alloc(FULL_DISK_MIB * MEBIBYTE)).catch(() => undefined);
      await subject.expectDenied();
      await rm(filler);
      await subject.expectRecovered();
    },
  );

  // skip: the machine has no strace; continuous integration installs it and fails without.
  it
    .skipIf(missing.strace)
    .each(["pwrite64:error=EROFS", "pwrite64:error=ENOSPC", "pwrite64:error=EIO", "fsync:error=EIO"])(
    "L5: with %s every call is denied, until the disk works again",
    async (fault) => {
      const subject = await Subject.start(await temporaryDirectory());
      const injected = await injectFault(subject.server.pid, fault);
      await subject.expectDenied();
      expect(await injected.end()).toBeGreaterThan(0);
      await subject.expectRecovered();
    },
  );

  // skip: the machine has no strace; continuous integration installs it and fails without.
  it
    .skipIf(missing.strace)
    .each(["pwrite64:error=EIO:when=3+7", "fsync:error=EIO:when=2+3", "fsync:error=EINTR:when=2+3"])(
    "L5: with %s now and then, no call is allowed without its row",
    async (fault) => {
      const subject = await Subject.start(await temporaryDirectory());
      const injected = await injectFault(subject.server.pid, fault);
      for (let calls = 0; calls < 30; calls += 1) await subject.call();
      expect(await injected.end()).toBeGreaterThan(0);
      await subject.expectRecovered();
    },
  );

  // skip: the machine has no strace; continuous integration installs it and fails without.
  it.skipIf(missing.strace)(
    "L5: on a disk that syncs in 200 ms calls are answered in time, and each allow has its row",
    async () => {
      const subject = await Subject.start(await temporaryDirectory());
      const injected = await injectFault(subject.server.pid, "fsync:delay_exit=200000");
      await Promise.all(Array.from({ length: 20 }, () => subject.call()));
      expect(await injected.end()).toBeGreaterThan(0);
      expect(allowedIds(subject.answers).length).toBeGreaterThan(1);
      await subject.expectBorneOut();
    },
  );

  // skip: the machine has no strace; continuous integration installs it and fails without.
  it.skipIf(missing.strace)(
    "L5: on a disk that takes longer to sync than a call may wait, calls are denied in time",
    async () => {
      const subject = await Subject.start(await temporaryDirectory());
      const injected = await injectFault(subject.server.pid, "fsync:delay_exit=3000000");
      expect((await subject.call()).body).toMatchObject(DENIED);
      expect(await injected.end()).toBeGreaterThan(0);
      await subject.expectRecovered();
    },
  );

  // proves AUD-07
  it("L5, L2: with its file unlinked every call is denied, and no restart starts a new log", async () => {
    const dataDir = await temporaryDirectory();
    const subject = await Subject.start(dataDir);
    await subject.expectBorneOut();
    await rm(join(dataDir, DATABASE_FILE));
    await subject.expectDenied();
    await subject.server.stop();
    await expect(serverOfTest({ dataDir })).rejects.toThrow("has lost rows");
  });

  // proves MODE-07, OPS-06
  it.each(["audit_only", "shadow", "enforcement"])(
    "L5: with its file moved away every call is denied in mode %s, until it is back",
    async (mode) => {
      const dataDir = await temporaryDirectory();
      const subject = await Subject.start(dataDir, {
        policy: `${PAYMENTS_POLICY}governance_mode: ${mode}\n`,
      });
      expect(await subject.readiness()).toBe(200);
      const path = join(dataDir, DATABASE_FILE);
      await rename(path, `${path}.away`);
      await subject.expectDenied();
      expect(await subject.readiness()).toBe(503);
      await rename(`${path}.away`, path);
      await subject.expectRecovered();
      expect(await subject.readiness()).toBe(200);
    },
  );
});

// skip: the machine has no PostgreSQL; continuous integration installs it and fails without.
describe.skipIf(missing.postgres)("the audit store in PostgreSQL", () => {
  it("L5, I10: while it hangs every call is denied in time, and calls pass again when it wakes", async () => {
    const postgres = await startPostgresServer();
    onTestFinished(() => postgres.stop());
    const subject = await Subject.start(await temporaryDirectory(), {
      env: { SVC_DATABASE_URL: postgres.url },
    });
    signalFamily(postgres.pid, "SIGSTOP");
    onTestFinished(() => signalFamily(postgres.pid, "SIGCONT"));
    await subject.expectDenied();
    expect(await subject.readiness()).toBe(503);
    signalFamily(postgres.pid, "SIGCONT");
    await subject.expectRecovered();
  });

  it("L5, I3: when it is killed under load no call passes until it is back, and no row is lost", async () => {
    const postgres = await startPostgresServer();
    onTestFinished(() => postgres.stop());
    const subject = await Subject.start(await temporaryDirectory(), {
      env: { SVC_DATABASE_URL: postgres.url },
    });
    const load = steadyLoad(subject.server.url, 50, (index) => ({ session_id: `s-${String(index)}` }));
    await vi.waitFor(() => expect(load.answers.length).toBeGreaterThan(500), CONDITION_MS);
    await postgres.crash();
    await subject.expectDenied();
    await postgres.restart();
    await vi.waitFor(async () => expect((await subject.call()).body["decision"]).toBe("allow"), CONDITION_MS);
    subject.answers.push(...(await load.stop()));
    await subject.expectRecovered();
  });

  // proves OPS-18
  it("logs one line when it is lost and one when it is back, without a stack trace", async () => {
    const postgres = await startPostgresServer();
    onTestFinished(() => postgres.stop());
    const subject = await Subject.start(await temporaryDirectory(), {
      env: { SVC_DATABASE_URL: postgres.url },
    });
    await postgres.crash();
    await subject.expectDenied();
    await postgres.restart();
    await vi.waitFor(async () => expect((await subject.call()).body["decision"]).toBe("allow"), CONDITION_MS);
    const { server } = subject;
    await vi.waitFor(() => expect(server.output()).toContain("the store answers again"), CONDITION_MS);
    expect(server.lines.filter((line) => line.includes("the store does not answer"))).toHaveLength(1);
    expect(server.lines.find((line) => line.includes("answers again"))).toMatch(/"outage_ms":[1-9]/);
    expect(server.output()).not.toMatch(/\\n +at /);
  });
});
