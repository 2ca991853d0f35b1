// peers: postgres
// long: it starts a standby, ends the primary and promotes the standby
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { startDatabaseLink } from "@svc/store/testing/database-link";
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { type PostgresServer, startPostgresServer } from "@svc/store/testing/postgres-server";
import { expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../support/processes/temporary-directory.ts";
import { createPolicy, send } from "../support/server/api.ts";
import { listGateways } from "../support/server/cluster.ts";
import { activate, activateEnforced } from "../support/server/kill-switches.ts";
import { makeKeys } from "../support/server/role-keys.ts";
import { type ServerProcess, serverOfTest } from "../support/server/server-process.ts";

/** Milliseconds that the service may take to be back, on a busy machine. */
const DEADLINE_MS = 30_000;

/** Milliseconds after the promotion during which nothing may pass. */
const LOOK_MS = 5_000;

type Body = Readonly<Record<string, unknown>>;

function call(url: string, agent = "agent-1"): Promise<{ readonly status: number; readonly body: Body }> {
  return send("POST", `${url}/api/v1/gateway/execute`, {
    body: { agent_id: agent, tool: "payments.refund", session_id: "session-1" },
  });
}

describePostgres("the failover of PostgreSQL", () => {
  /** A primary with a standby that streams from it, and the address that names both. */
  async function startPair() {
    const primary = await startPostgresServer();
    onTestFinished(() => primary.stop());
    const database = new URL(await primary.createDatabase()).pathname.slice(1);
    const standby = await startPostgresServer({ standbyOf: primary });
    onTestFinished(() => standby.stop());
    const toPrimary = await startDatabaseLink(primary.urlOf(database));
    const toStandby = await startDatabaseLink(standby.urlOf(database));
    onTestFinished(async () => void (await Promise.all([toPrimary.close(), toStandby.close()])));
    const url = `postgres://svc@${toStandby.host},${toPrimary.host}/${database}`;
    return { primary, standby, toPrimary, toStandby, url, standbyUrl: toStandby.url };
  }

  function start(url: string, id: string, role: string): Promise<ServerProcess> {
    return serverOfTest({ env: { SVC_DATABASE_URL: url, SVC_GATEWAY_ID: id, SVC_ROLE: role } });
  }

  /** The standby answers a commit only when it is on its disk. */
  async function waitForStandby(primary: PostgresServer): Promise<void> {
    await primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await primary.query("SELECT pg_reload_conf()");
    await expect
      .poll(() => primary.query("SELECT sync_state FROM pg_stat_replication"), { timeout: 10_000 })
      .toBe("sync");
  }

  const promote = (standby: PostgresServer): Promise<string> => standby.query("SELECT pg_promote()");

  // proves STATE-14
  it("keeps every acknowledged row of a synchronous standby, and gateways are back in time", async () => {
    const { primary, standby, url, standbyUrl } = await startPair();
    const control = await start(url, "control-1", "control");
    const gateways = [await start(url, "gw-1", "gateway"), await start(url, "gw-2", "gateway")];
    await waitForStandby(primary);
    await createPolicy(control.url);
    await makeKeys(control.url);
    await activateEnforced(control.url, { scope: "agent", target_id: "agent-2" });

    // A standby alone is refused, and the message says what to name.
    const alone = await serverOfTest({
      env: { SVC_DATABASE_URL: standbyUrl, SVC_GATEWAY_ID: "gw-9" },
      until: "listening",
    });
    expect(alone.output()).toMatch(/is read-only: expected the primary, found a standby/);
    expect(await call(alone.url)).toMatchObject({ body: { decision: "deny", fail_closed: true } });

    const allowed: string[] = [];
    let isEnded = false;
    const callers = gateways.map(async (gateway) => {
      while (!isEnded) {
        const { body } = await call(gateway.url);
        if (body["decision"] === "allow") allowed.push(String(body["decision_id"]));
      }
    });
    await expect.poll(() => allowed.length).toBeGreaterThan(20);
    await primary.crash();
    await expect.poll(async () => (await call(gateways[0]?.url ?? "")).body["decision"]).toBe("deny");
    const before = allowed.length;
    await promote(standby);
    for (const { url: at } of gateways)
      await expect
        .poll(async () => (await call(at)).body["decision"], {
          timeout: DEADLINE_MS,
          interval: 50,
        })
        .toBe("allow");
    isEnded = true;
    await Promise.all(callers);
    expect(allowed.length).toBeGreaterThan(before);

    for (const { url: at } of gateways)
      expect((await call(at, "agent-2")).body).toMatchObject({
        decision: "deny",
        reason_code: "kill_switch",
      });
    await expect
      .poll(
        async () => (await activate(control.url, { scope: "agent", target_id: "agent-3" })).body["enforced"],
        {
          timeout: DEADLINE_MS,
        },
      )
      .toBe(true);
    const lost: string[] = [];
    for (const id of allowed) {
      const { status } = await send("GET", `${control.url}/api/v1/decisions/${id}`);
      if (status !== 200) lost.push(`${id}: ${String(status)}`);
    }
    expect(lost).toEqual([]);
  }, 120_000);

  // proves STATE-13
  it("to a standby that lacks a kill switch ends no kill switch in silence", async () => {
    const { primary, standby, url } = await startPair();
    const control = await start(url, "control-1", "control");
    const dataDir = await temporaryDirectory();
    const env = { SVC_DATABASE_URL: url, SVC_GATEWAY_ID: "gw-1", SVC_ROLE: "gateway" };
    const gateway = await serverOfTest({ dataDir, env });
    await createPolicy(control.url);
    await makeKeys(control.url);
    expect((await call(gateway.url)).body).toMatchObject({ decision: "allow" });
    const position = await primary.query("SELECT pg_current_wal_lsn()");
    await expect
      .poll(() => standby.query(`SELECT pg_last_wal_replay_lsn() >= '${position}'`), { timeout: 10_000 })
      .toBe("t");
    // The standby gets nothing from here on: its receiver is ended and cannot come back.
    await standby.query("ALTER SYSTEM SET primary_conninfo = ''");
    await standby.query("SELECT pg_reload_conf()");
    await expect
      .poll(() => primary.query("SELECT count(*) FROM pg_stat_replication"), { timeout: 10_000 })
      .toBe("0");
    await activateEnforced(control.url, { scope: "agent", target_id: "agent-1" });
    const marks = join(dataDir, "control-mark.json");
    const applied = (await listGateways(control.url)).map((each) => each.applied_revision);
    const revision = `"revision":${String(Math.max(...applied))},`;
    await expect.poll(() => readFile(marks, "utf8").catch(() => "")).toContain(revision);
    await primary.crash();
    await promote(standby);

    const until = performance.now() + LOOK_MS;
    while (performance.now() < until)
      expect((await call(gateway.url)).body).toMatchObject({ decision: "deny" });
    expect((await call(gateway.url)).body).toMatchObject({ reason_code: "control_state_unverified" });
    expect(gateway.output()).toContain("control state was lost");
    const refused = await activate(control.url, { scope: "agent", target_id: "agent-3" });
    expect(refused.status).toBe(503);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(503);

    // A process that is started again remembers what it knew.
    gateway.signal("SIGKILL");
    await gateway.exited;
    await expect(serverOfTest({ dataDir, env })).rejects.toThrow(
      /control state was lost: .* the database ends at .*control-mark\.json/,
    );
    await rm(marks);
    const again = await serverOfTest({ dataDir, env });
    expect((await call(again.url)).body).toMatchObject({ decision: "allow" });
  }, 120_000);
});
