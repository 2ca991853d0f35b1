// long: it starts a server twice, and waits until alerts are opened
// waits: until alerts are opened
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isLongRun } from "@svc/text/testing/runs";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../support/processes/temporary-directory.ts";
import { createPolicy, execute, send } from "../../support/server/api.ts";
import { type ServerProcess, serverOfTest } from "../../support/server/server-process.ts";
import { ARRIVES, RECEIVERS, receiverOf } from "../webhooks/webhook-receiver.ts";

/** Milliseconds in which an alert is opened whose condition has to last for a minute, on a busy machine. */
const MINUTES = { timeout: 180_000, interval: 500 };

/** Unresolved alerts, as `<condition> <subject>`. */
async function alertsOf({ url }: ServerProcess): Promise<readonly string[]> {
  const { body } = await send("GET", `${url}/api/v1/alerts?status=open`);
  const alerts = body["alerts"] as readonly Readonly<Record<string, unknown>>[];
  return alerts.map(({ condition, subject }) => `${String(condition)} ${String(subject)}`).toSorted();
}

/** What keeps versions of policies as they were written. */
const TRIGGERS = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'policy_versions'";

/** A directory with a delivery that failed for good, and a policy that no gateway can read. */
async function troubledDirectory() {
  const dataDir = await temporaryDirectory();
  const server = await serverOfTest({ dataDir, env: RECEIVERS });
  expect((await createPolicy(server.url)).status).toBe(201);
  const { webhookId } = await receiverOf(server, { events: ["policy.decision"] }, (_, response) => {
    response.writeHead(503).end();
  });
  expect((await execute(server.url)).body["decision"]).toBe("allow");
  const waiting = async () =>
    (await send("GET", `${server.url}/api/v1/webhooks/${webhookId}/deliveries?status=waiting`)).body;
  await expect.poll(waiting, ARRIVES).toMatchObject({ deliveries: [{ event: "policy.decision" }] });
  await server.stop();
  const database = new DatabaseSync(join(dataDir, "svc.db"));
  database.prepare("UPDATE waiting_deliveries SET next_at_ms = NULL, dead_at_ms = ?").run(Date.now());
  for (const { name } of database.prepare(TRIGGERS).all()) database.exec(`DROP TRIGGER ${String(name)}`);
  database.exec("UPDATE policy_versions SET record = json_set(record, '$.document.tools', 7), source = '['");
  database.close();
  return { dataDir, webhookId };
}

// proves ALERT-02
it("conditions of a running server open alerts", { timeout: 2 * MINUTES.timeout }, async () => {
  const { dataDir, webhookId } = await troubledDirectory();
  const server = await serverOfTest({ dataDir, env: RECEIVERS });
  await expect.poll(() => alertsOf(server), ARRIVES).toContain(`dead_letters ${webhookId}`);
  expect((await execute(server.url)).body).toMatchObject({ fail_closed: true });
  // The others have to last for ten seconds, or for a minute.
  if (!isLongRun) return;
  const look = async () => {
    await execute(server.url);
    return alertsOf(server);
  };
  await expect
    .poll(look, MINUTES)
    .toEqual(
      expect.arrayContaining([
        `dead_letters ${webhookId}`,
        `deliveries_late ${webhookId}`,
        "fail_closed policy_unloadable",
        "policy_unloadable refunds",
      ]),
    );
});
