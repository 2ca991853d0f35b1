// peers: postgres
// long: kills servers under load, and verifies their logs after each restart
// alone: it holds 500 calls in flight
import { setTimeout as delay } from "node:timers/promises";
import { startPostgresServer } from "@svc/store/testing/postgres-server";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { missing } from "../support/processes/missing-peers.ts";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { steadyLoad } from "../support/requests/load.ts";
import { createPolicy } from "../support/server/api.ts";
import { allowedIds, checkedExport, withoutRow } from "../support/server/audit-export.ts";
import { type ServerOptions, type ServerProcess, serverOfTest } from "../support/server/server-process.ts";

const CONCURRENT_CALLS = 500;

/** Answers that must arrive before the crash, so that it happens in the middle of commits. */
const ANSWERS_BEFORE_CRASH = 100;

/** Kills the server while calls run. Returns the ids of the allows that arrived. */
async function allowsBeforeCrash(server: ServerProcess, crashAfterMs: number): Promise<readonly string[]> {
  const load = steadyLoad(server.url, CONCURRENT_CALLS, (index) => ({ session_id: `s-${String(index)}` }));
  await vi.waitFor(() => expect(load.answers.length).toBeGreaterThan(ANSWERS_BEFORE_CRASH), {
    timeout: 10_000,
    interval: 5,
  });
  await delay(crashAfterMs);
  await server.stop("SIGKILL");
  return allowedIds(await load.stop());
}

async function expectDurable(options: ServerOptions, rounds: number): Promise<void> {
  const received: string[] = [];
  let server = await serverOfTest(options);
  expect((await createPolicy(server.url)).status).toBe(201);
  for (let round = 0; round < rounds; round += 1) {
    received.push(...(await allowsBeforeCrash(server, 10 * round)));
    server = await serverOfTest(options);
  }
  // Once at the end: a row that one crash lost is still missing after the last one.
  expect(withoutRow(received, await checkedExport(server.url))).toEqual([]);
  expect(await server.stop()).toBe(0);
  expect(received.length).toBeGreaterThan(rounds * ANSWERS_BEFORE_CRASH);
}

describe("kill -9 under load", () => {
  // proves AUD-01, AUD-05, AUD-12
  it("L5, I2, I3: on SQLite every allow that was received has its row, and the chain holds", async () => {
    await expectDurable({ dataDir: await temporaryDirectory() }, 20);
  }, 120_000);

  // skip: the machine has no PostgreSQL; continuous integration installs it and fails without.
  it.skipIf(missing.postgres)(
    "L5, I2, I3: the same on PostgreSQL",
    async () => {
      const postgres = await startPostgresServer();
      onTestFinished(() => postgres.stop());
      const env = { SVC_DATABASE_URL: postgres.url };
      await expectDurable({ dataDir: await temporaryDirectory(), env }, 5);
    },
    120_000,
  );
});
