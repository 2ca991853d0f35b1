// long: it waits for a delivery that is tried again
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sideBySide } from "../../support/processes/side-by-side.ts";
import { execute, send } from "../../support/server/api.ts";
import { type ServerProcess, startServer } from "../../support/server/server-process.ts";
import { rolesAt, rowsOf } from "../../support/server/supervision.ts";
import { ARRIVES, confirms, RECEIVERS, receiverOf, type WebhookReceiver } from "./webhook-receiver.ts";

// Every case has receivers of its own.
let server: ServerProcess;

beforeAll(async () => {
  server = await startServer({ env: RECEIVERS });
});

afterAll(() => server.stop());

const ask = async (method: string, path: string, body?: object) =>
  send(method, `${server.url}/api/v1/${path}`, body === undefined ? {} : { body });

const deliveriesOf = async ({ webhookId }: WebhookReceiver, query = "") => {
  const { body } = await ask("GET", `webhooks/${webhookId}/deliveries?${query}`);
  return body["deliveries"] as readonly Readonly<Record<string, unknown>>[];
};

const decisionsOf = (agent: string) => ({ events: ["policy.decision"], agents: [agent] });

const healthOf = async ({ webhookId }: WebhookReceiver) =>
  (await ask("GET", `webhooks/${webhookId}`)).body["health"];

it("sends a sample now, and says what the receiver answered", async () => {
  const receiver = await receiverOf(server);
  const tested = await ask("POST", `webhooks/${receiver.webhookId}/test`, {
    event: "killswitch.activated",
  });
  expect(tested.body).toMatchObject({ delivered: true, response_status: 204, fault: null });
  expect(receiver.received()).toMatchObject([{ type: "killswitch.activated", id: tested.body["event_id"] }]);
  receiver.respondWith((_, response) => void response.writeHead(500).end("no database"));
  const failed = await ask("POST", `webhooks/${receiver.webhookId}/test`);
  expect(failed.body).toMatchObject({ delivered: false, response_status: 500, response: "no database" });
});

// proves HOOK-07
it("tries again what failed, disables what is gone, and delays nobody by either", async () => {
  await sideBySide(triesAgain("agent-1"), disablesWhatIsGone("agent-2"), delaysNobody("agent-3"));
});

/** It lists the attempts, and delivers again what somebody asks for. */
async function triesAgain(agent_id: string): Promise<void> {
  const receiver = await receiverOf(server, decisionsOf(agent_id), (_, response) => {
    response.writeHead(503).end("later");
  });
  const since = new Date().toISOString();
  const { body } = await execute(server.url, { agent_id });
  await expect.poll(() => deliveriesOf(receiver, "status=waiting"), ARRIVES).toHaveLength(1);
  expect(await healthOf(receiver)).toMatchObject({
    state: "failing",
    failures: 1,
    pending: 1,
    dead: 0,
  });
  receiver.respondWith(confirms);
  await expect.poll(() => receiver.requests.length, ARRIVES).toBe(2);
  await expect
    .poll(() => healthOf(receiver), ARRIVES)
    .toMatchObject({
      state: "healthy",
      pending: 0,
      oldest_undelivered_at: null,
      last_success_at: expect.any(String),
    });
  const attempts = await deliveriesOf(receiver);
  expect(attempts).toMatchObject([
    { status: "delivered", response_status: 204 },
    { status: "failed", response_status: 503, response: "later" },
  ]);
  const [, failed] = attempts;
  const one = await ask("POST", `deliveries/${String(failed?.["id"])}/replay`);
  expect(one).toMatchObject({ status: 202, body: { queued: 1 } });
  await expect.poll(() => receiver.requests.length, ARRIVES).toBe(3);
  const path = `webhooks/${receiver.webhookId}/replay`;
  const counted = { status: 200, body: { dry_run: true, queued: 1, next_cursor: null } };
  expect(await ask("POST", `${path}?dry_run=true`, { since })).toMatchObject(counted);
  const range = await ask("POST", path, { since });
  expect(range).toMatchObject({ status: 202, body: { queued: 1, next_cursor: null } });
  await expect.poll(() => receiver.requests.length, ARRIVES).toBe(4);
  expect(new Set(receiver.requests.map(({ headers }) => headers["x-svc-delivery"])).size).toBe(1);
  expect(new Set(receiver.received().map(({ data }) => data["decision_id"]))).toEqual(
    new Set([body["decision_id"]]),
  );
  const unknown = await ask("POST", "deliveries/dlv_unknown/replay");
  expect(unknown.status).toBe(404);
}

it("signs with both secrets while one is exchanged for the other", async () => {
  const receiver = await receiverOf(server, { events: ["policy.decision"] });
  const path = `webhooks/${receiver.webhookId}/rotate-secret`;
  const { body: next } = await ask("POST", path, {});
  const test = async () => ask("POST", `webhooks/${receiver.webhookId}/test`);
  expect((await test()).body).toMatchObject({ delivered: true });
  // The present secret verifies both headers, the next one that of Standard Webhooks.
  expect(receiver.received()).toHaveLength(1);
  const [{ body, headers } = { body: "", headers: {} }] = receiver.requests;
  new Webhook(String(next["secret"])).verify(body, headers as Record<string, string>);
  const { body: activated } = await ask("POST", path, { activate: true });
  expect(activated).toMatchObject({ next_secret_at: null });
  await test();
  expect(() => receiver.received()).toThrow();
});

/** An endpoint that answers 410. It goes on where it was, once it is enabled. */
async function disablesWhatIsGone(agent_id: string): Promise<void> {
  const receiver = await receiverOf(server, decisionsOf(agent_id), (_, response) => {
    response.writeHead(410).end();
  });
  await execute(server.url, { agent_id });
  const read = async () => (await ask("GET", `webhooks/${receiver.webhookId}`)).body;
  await expect.poll(read, ARRIVES).toMatchObject({ enabled: false, disabled_reason: "gone" });
  const rows = await rowsOf(rolesAt(server), "kind=webhook");
  expect(rows.filter((row) => row["webhook_id"] === receiver.webhookId)).toMatchObject([
    { action: "created" },
    { action: "disabled", principal: "webhooks" },
  ]);
  receiver.respondWith(confirms);
  const update = { enabled: true };
  expect((await ask("PATCH", `webhooks/${receiver.webhookId}`, update)).status).toBe(200);
  await expect.poll(() => receiver.requests.length, ARRIVES).toBe(2);
  expect((await ask("DELETE", `webhooks/${receiver.webhookId}`)).status).toBe(200);
  expect((await ask("GET", `webhooks/${receiver.webhookId}`)).status).toBe(404);
}

/** By an endpoint that hangs and one that fails. */
async function delaysNobody(agent_id: string): Promise<void> {
  const settings = decisionsOf(agent_id);
  const [hanging, failing] = [
    await receiverOf(server, settings, () => undefined),
    await receiverOf(server, settings, (_, response) => void response.writeHead(500).end("broken")),
  ];
  const healthy = await receiverOf(server, settings);
  for (let n = 0; n < 60; n += 1) await execute(server.url, { agent_id, session_id: `s-${String(n)}` });
  await expect.poll(() => healthy.requests.length, ARRIVES).toBe(60);
  expect(hanging.requests.length).toBeLessThanOrEqual(8);
  expect(failing.requests.length).toBeLessThan(40);
}

describe("an address that may not be called", () => {
  // proves HOOK-09
  it("is refused when it is registered, and at a redirect", async () => {
    const wrong = [
      "http://169.254.169.254/latest/meta-data",
      "https://10.0.0.1/in",
      "https://2130706434/in",
      "https://[::ffff:10.0.0.1]/in",
      "https://localhost.:1/in",
      "http://1.1.1.1/in",
      "https://user:secret-word@1.1.1.1/in",
      "https://1.1.1.1/in#part",
      "ftp://1.1.1.1/in",
      "https://nobody.invalid/in",
    ];
    for (const url of wrong) {
      const { status, body } = await ask("POST", "webhooks", { url, events: ["*"] });
      expect({ url, status, body }).toMatchObject({ status: 400, body: { errors: [{ pointer: "/url" }] } });
      const tried = await ask("POST", "webhooks?dry_run=true", { url, events: ["*"] });
      expect([tried.status, tried.body["errors"]]).toEqual([status, body["errors"]]);
      expect(JSON.stringify(body)).not.toContain("secret-word");
    }
    const target = await receiverOf(server, { events: ["killswitch.activated"] });
    const receiver = await receiverOf(server, {}, (_, response) => {
      response.writeHead(302, { location: target.url }).end();
    });
    const { body } = await ask("POST", `webhooks/${receiver.webhookId}/test`);
    expect(body).toMatchObject({ delivered: false, response_status: 302 });
    expect(target.requests).toEqual([]);
  });

  it("costs little when its receiver answers for ever", async () => {
    const endless = await receiverOf(server, {}, (_, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, "x")));
      };
      response.on("drain", more);
      more();
    });
    const { body } = await ask("POST", `webhooks/${endless.webhookId}/test`);
    expect(body).toMatchObject({ delivered: true, response: "x".repeat(1_024) });
  });
});
