// peers: postgres
// long: it ends and starts PostgreSQL under running servers
import { startDatabaseLink } from "@svc/store/testing/database-link";
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { expect, it, onTestFinished } from "vitest";
import { send } from "../support/server/api.ts";
import { makeKeys } from "../support/server/role-keys.ts";
import { serverOfTest } from "../support/server/server-process.ts";

/** Milliseconds until a server must serve again once its database can be reached. */
const HEALED_WITHIN_MS = 10_000;

describePostgres("a server whose database is away when it starts", (postgres) => {
  const call = { agent_id: "agent", tool: "tool" };

  async function statusOf(url: string, path: string): Promise<number> {
    return (await fetch(`${url}${path}`)).status;
  }

  // proves STATE-11
  it("starts, is not ready, denies every call with a reason, and heals by itself", async () => {
    const link = await startDatabaseLink(await postgres().createDatabase());
    onTestFinished(() => link.close());
    const before = await serverOfTest({ env: { SVC_DATABASE_URL: link.url } });
    await makeKeys(before.url);
    expect(await before.stop()).toBe(0);
    await link.cut();
    const server = await serverOfTest({ env: { SVC_DATABASE_URL: link.url }, until: "listening" });

    expect(await statusOf(server.url, "/healthz")).toBe(200);
    expect(await statusOf(server.url, "/version")).toBe(200);
    const readiness = await fetch(`${server.url}/readyz`);
    expect(readiness.status).toBe(503);
    expect(await readiness.json()).toMatchObject({ status: "not_ready", store: "unavailable" });
    const denied = await send("POST", `${server.url}/api/v1/gateway/execute`, { body: call });
    expect(denied).toMatchObject({
      status: 200,
      body: { decision: "deny", reason_code: "control_state_unverified", fail_closed: true },
    });
    const refused = await send("GET", `${server.url}/api/v1/policies`);
    expect(refused).toMatchObject({ status: 503, body: { code: "unavailable" } });

    await link.mend();
    await expect
      .poll(() => statusOf(server.url, "/readyz"), { timeout: HEALED_WITHIN_MS, interval: 100 })
      .toBe(200);
    const decided = await send("POST", `${server.url}/api/v1/gateway/execute`, { body: call });
    expect(decided).toMatchObject({
      body: { decision: "deny", reason_code: "no_policy", fail_closed: false },
    });
    expect(await server.stop()).toBe(0);
  });

  it("stops cleanly while it waits", async () => {
    const server = await serverOfTest({
      env: { SVC_DATABASE_URL: "postgres://svc@127.0.0.1:1/svc" },
      until: "listening",
    });
    expect(await server.stop()).toBe(0);
  });
});
