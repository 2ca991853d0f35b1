// peers: postgres
// long: it starts servers again and waits until severities rise and fall
// waits: until severities rise and fall
import { expect, it } from "vitest";
import { missing } from "../../support/processes/missing-peers.ts";
import { sideBySide } from "../../support/processes/side-by-side.ts";
import { BOOTSTRAP_ENV, type Client, clientOf, issueKey, operatorOf } from "../../support/server/api-keys.ts";
import { type ServerOptions, serverOfTest } from "../../support/server/server-process.ts";
import { type SharedStore, sharedDirectory, sharedPostgres } from "../../support/server/shared-store.ts";
import {
  rolesAt,
  rowsOf,
  STEP_WITHIN_MS,
  SUSPENDING_LADDER,
  superviseSilent,
  untilSeverity,
} from "../../support/server/supervision.ts";
import { confirms, RECEIVERS, receiverOf } from "../webhooks/webhook-receiver.ts";

const SOON = { timeout: STEP_WITHIN_MS, interval: 100 };

const SESSION = { session_id: "run-1" };

const POLICY = `
id: refunds
agent_id: eager
tools: { allowed: ['payments.*'] }
rules:
  - { id: no-refunds, match: { tool: payments.refund }, action: deny }
`;

type Alert = Readonly<Record<string, unknown>>;

const alertsOf = async (client: Client, query: string): Promise<readonly Alert[]> => {
  const { status, body } = await client("GET", `alerts?${query}`);
  expect(status).toBe(200);
  return body["alerts"] as readonly Alert[];
};

/** As `<condition> <subject> <status>`. */
const states = async (client: Client): Promise<readonly string[]> =>
  (await alertsOf(client, "limit=200"))
    .map(({ condition, subject, status }) => `${String(condition)} ${String(subject)} ${String(status)}`)
    .toSorted();

async function start({ env = {}, ...options }: ServerOptions) {
  const server = await serverOfTest({ ...options, env: { ...env, ...BOOTSTRAP_ENV } });
  return { server, operator: operatorOf(server) };
}

/** An agent falls silent, and another one is denied again and again. */
async function provoke(url: string, operator: Client): Promise<string> {
  const { key } = await issueKey(operator, { name: "silent", agents: ["silent"] });
  const silent = clientOf({ url }, key);
  await superviseSilent(
    { operator, agent: silent },
    { agentId: "silent", sessionId: SESSION.session_id },
    SUSPENDING_LADDER,
  );
  expect((await operator("POST", "policies", { yaml: POLICY })).status).toBe(201);
  for (let amount = 1; amount <= 22; amount += 1) {
    const call = { agent_id: "eager", tool: "payments.refund", args: { amount } };
    expect((await operator("POST", "gateway/execute", { json: call })).body["decision"]).toBe("deny");
  }
  await untilSeverity(operator, "silent", "CRITICAL");
  return key;
}

/** The agent lives while `then` looks. */
async function recover(agent: Client, operator: Client, then: () => Promise<void>): Promise<void> {
  const beat = () => agent("POST", "agents/silent/heartbeat", { json: SESSION });
  await beat();
  await expect
    .poll(async () => (await agent("POST", "agents/silent/reauthenticate", { json: SESSION })).status, SOON)
    .toBe(200);
  const lively = setInterval(() => void beat().catch(() => undefined), 300);
  try {
    await untilSeverity(operator, "silent", "INFO");
    await expect.poll(() => states(operator), SOON).toContain("agent_severity silent resolved");
    await then();
  } finally {
    clearInterval(lively);
  }
}

async function lifetime({ before, after }: SharedStore, silentGateway: boolean): Promise<void> {
  const first = await start(before);
  const key = await provoke(first.server.url, first.operator);
  const opened = ["agent_severity silent open", "policy_violations eager: no-refunds open"];
  await expect.poll(() => states(first.operator), SOON).toEqual(opened);
  const [open] = (await alertsOf(first.operator, "status=open")).filter(
    (one) => one["agent_id"] === "silent",
  );
  expect(open).toMatchObject({ severity: "critical", details: { severity: "CRITICAL", sessions: 1 } });
  const auditor = await issueKey(first.operator, { name: "auditor", role: "auditor" });
  const path = `alerts/${String(open?.["id"])}/acknowledge`;
  const json = { note: "I look at it." };
  const reader = clientOf(first.server, auditor.key);
  expect((await reader("POST", path, { json })).status).toBe(403);
  expect((await reader("GET", `alerts/${String(open?.["id"])}`)).body).toEqual(open);
  const acknowledged = await first.operator("POST", path, { json });
  expect(acknowledged).toMatchObject({
    status: 200,
    body: { status: "acknowledged", note: "I look at it." },
  });

  await first.server.stop("SIGKILL");
  const { server, operator } = await start(after);
  const still = ["agent_severity silent acknowledged", "policy_violations eager: no-refunds open"];
  expect(await states(operator)).toEqual(still);
  const silentGateways = async () =>
    (await states(operator)).filter((state) => state.startsWith("gateway_silent"));
  await recover(clientOf(server, key), operator, async () => {
    if (silentGateway) await expect.poll(silentGateways, SOON).toHaveLength(1);
    const rows = await rowsOf(operator, "kind=alert&agent_id=silent");
    expect(rows.map(({ action, principal }) => [action, principal])).toEqual([
      ["opened", "alert_watch"],
      ["acknowledged", acknowledged.body["acknowledged_by"]],
      ["resolved", "alert_watch"],
    ]);
  });
  expect(await rowsOf(operator, "kind=alert&agent_id=eager")).toHaveLength(1);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toContain('svc_alerts_open{condition="policy_violations"} 1');
}

const STORES = [
  { shared: sharedDirectory, isHere: true, silentGateway: false },
  { shared: sharedPostgres, isHere: missing.postgres === null, silentGateway: true },
];

// proves ALERT-03, ALERT-05, ALERT-06, ALERT-07
it("alerts are opened once, acknowledged, and resolved over a kill -9, on each store", async () => {
  const stores = STORES.filter(({ isHere }) => isHere);
  await sideBySide(
    ...stores.map(async ({ shared, silentGateway }) => lifetime(await shared(), silentGateway)),
  );
});

// proves ALERT-02, ALERT-03
it("an alert of a webhook that is gone reaches another one, and so does its end", async () => {
  const server = await serverOfTest({ env: RECEIVERS });
  const operator = rolesAt(server);
  const told = await receiverOf(server, { events: ["alert.opened", "alert.resolved"] });
  const gone = await receiverOf(
    server,
    { events: ["*"] },
    (_, response) => void response.writeHead(410).end(),
  );
  const call = { agent_id: "agent-1", tool: "payments.refund", args: {} };
  expect((await operator("POST", "gateway/execute", { json: call })).status).toBe(200);
  await expect.poll(() => states(operator), SOON).toEqual([`webhook_disabled ${gone.webhookId} open`]);
  const events = () => told.received().map(({ type, data }) => [type, data["condition"], data["subject"]]);
  const opened = ["alert.opened", "webhook_disabled", gone.webhookId];
  await expect.poll(events, SOON).toEqual([opened]);
  gone.respondWith(confirms);
  const path = `webhooks/${gone.webhookId}`;
  expect((await operator("PATCH", path, { json: { enabled: true } })).status).toBe(200);
  await expect.poll(events, SOON).toEqual([opened, ["alert.resolved", ...opened.slice(1)]]);
  expect(await states(operator)).toEqual([`webhook_disabled ${gone.webhookId} resolved`]);
});
