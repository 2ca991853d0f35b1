// peers: postgres
// long: it builds an earlier version and runs it beside the present one
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findPostgresPrograms } from "@svc/process/find-postgres-programs";
import { startPostgresServer } from "@svc/store/testing/postgres-server";
import { expect, it, onTestFinished } from "vitest";
import { createPolicy, execute, send } from "../support/server/api.ts";
import { clusterOfTest } from "../support/server/cluster.ts";
import { buildEarlier } from "../support/server/earlier-build.ts";
import { activate, deactivate } from "../support/server/kill-switches.ts";
import type { ServerProcess } from "../support/server/server-process.ts";

/** The version before the present one, whose schema is one step behind. Each release replaces it. */
const EARLIER = "158a774a";

/** Longest wait in milliseconds for what takes a lease at most. */
const SOON = { timeout: 10_000, interval: 20 };

const hasCommit =
  spawnSync("git", ["-C", join(import.meta.dirname, "..", ".."), "cat-file", "-e", `${EARLIER}^{commit}`])
    .status === 0;
const isAbsent = process.env["CI"] === undefined && (findPostgresPrograms() === null || !hasCommit);

/** Calls a gateway until it ends, and keeps every decision that is not as wanted. */
function callerOf({ url }: ServerProcess) {
  const odd: unknown[] = [];
  let allowed = 0;
  let isEnded = false;
  const run = (async () => {
    while (!isEnded) {
      const { body } = await execute(url, { agent_id: "agent-1" });
      if (body["decision"] === "allow") allowed += 1;
      else odd.push(body);
      await delay(5);
    }
  })();
  return {
    end: async () => {
      isEnded = true;
      await run;
      return { odd, allowed };
    },
  };
}

const reasonOf = async ({ url }: ServerProcess) =>
  (await execute(url, { agent_id: "agent-2" })).body["reason_code"] ?? null;

/** A switch that one of them activates and deactivates is obeyed by all. */
async function expectObeyed(by: ServerProcess, all: readonly ServerProcess[]): Promise<void> {
  const { status, body } = await activate(by.url, { scope: "agent", target_id: "agent-2" });
  expect(status).toBe(201);
  for (const each of all) await expect.poll(() => reasonOf(each), SOON).toBe("kill_switch");
  expect((await deactivate(by.url, body["kill_switch_id"])).status).toBe(200);
  for (const each of all) await expect.poll(() => reasonOf(each), SOON).toBeNull();
}

// proves STATE-18
// skip: the machine has no PostgreSQL, or the checkout has no history; continuous integration has both.
it.skipIf(isAbsent)(
  "two versions serve one database while one replaces the other",
  {
    timeout: 300_000,
  },
  async () => {
    const entry = await buildEarlier(EARLIER);
    const postgres = await startPostgresServer();
    onTestFinished(() => postgres.stop());
    const cluster = await clusterOfTest(postgres);
    const old = [
      await cluster.start("gw-1", "all", { entry }),
      await cluster.start("gw-2", "all", { entry }),
    ] as const;
    for (const agent of ["agent-1", "agent-2"]) {
      const policy = `id: of-${agent}\nagent_id: ${agent}\ntools: { allowed: ['payments.*'] }\n`;
      expect((await createPolicy(old[0].url, policy)).status).toBe(201);
    }
    const [first, second] = [callerOf(old[0]), callerOf(old[1])];
    // The present version changes the schema, if it differs, under calls.
    const added = await cluster.start("gw-3");
    const third = callerOf(added);
    await expectObeyed(old[0], [...old, added]);
    await expectObeyed(added, [...old, added]);
    const before = await first.end();
    expect(await old[0].stop("SIGTERM")).toBe(0);
    const replaced = await cluster.start("gw-1", "all", { dataDir: old[0].dataDir });
    const again = callerOf(replaced);
    await expectObeyed(old[1], [old[1], added, replaced]);
    await expectObeyed(replaced, [old[1], added, replaced]);
    for (const { odd, allowed } of [before, await second.end(), await third.end(), await again.end()]) {
      expect(odd).toEqual([]);
      expect(allowed).toBeGreaterThan(10);
    }
    const { body } = await send("GET", `${replaced.url}/api/v1/gateways`);
    expect((body["gateways"] as { id: string; lag: number }[]).map(({ id }) => id)).toEqual([
      "gw-1",
      "gw-2",
      "gw-3",
    ]);
  },
);
