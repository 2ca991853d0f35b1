// peers: postgres
// long: it pauses, kills and cuts off the process that ends switches
import { startDatabaseLink } from "@svc/store/testing/database-link";
import { describePostgres } from "@svc/store/testing/describe-postgres-suite";
import { expect, it, onTestFinished } from "vitest";
import { send } from "../support/server/api.ts";
import { clusterOfTest } from "../support/server/cluster.ts";
import { activate } from "../support/server/kill-switches.ts";
import { LEADER_FAULTS } from "../support/server/leader-faults.ts";

/** Activates a switch of two seconds, and waits until it is inactive, which is not before its end. */
async function untilEnded(url: string, agent: string): Promise<void> {
  const { body } = await activate(url, { scope: "agent", target_id: agent, ttl_seconds: 2 });
  const id = String(body["kill_switch_id"]);
  const statusOf = async () => (await send("GET", `${url}/v1/kill-switch/${id}`)).body["status"];
  await expect.poll(statusOf, { timeout: 20_000, interval: 50 }).toBe("inactive");
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(String(body["expires_at"])));
}

async function expiredRows(url: string): Promise<number> {
  const { body } = await send("GET", `${url}/api/v1/audit?kind=kill_switch&limit=200`);
  const rows = body["rows"] as readonly { readonly row: Readonly<Record<string, unknown>> }[];
  return rows.filter(({ row }) => row["action"] === "expired").length;
}

describePostgres("the loss of the leader", (postgres) => {
  // proves STATE-07
  it.each(LEADER_FAULTS)(
    "by $name: another process ends switches in time, each once",
    async ({ begin, end }) => {
      const cluster = await clusterOfTest(postgres());
      const link = await startDatabaseLink(cluster.databaseUrl);
      onTestFinished(() => link.close());
      const server = await cluster.start("gw-1", "all", { databaseUrl: link.url });
      // It is alone, so that it leads when it has ended a switch.
      await untilEnded(server.url, "agent-0");
      await expect.poll(() => server.output(), { timeout: 10_000 }).toContain("this process leads");
      const other = await cluster.start("gw-2");
      const leader = { server, link };
      await begin(leader);
      await untilEnded(other.url, "agent-1");
      await expect.poll(() => other.output(), { timeout: 10_000 }).toContain("this process leads");
      if (end === null) return;
      await end(leader);
      const readiness = async () => (await send("GET", `${server.url}/readyz`)).status;
      await expect.poll(() => server.output(), { timeout: 20_000 }).toContain("this process no longer leads");
      await expect.poll(readiness, { timeout: 20_000, interval: 200 }).toBe(200);
      await untilEnded(server.url, "agent-2");
      await expect.poll(() => expiredRows(other.url), { timeout: 10_000 }).toBe(3);
    },
  );
});
