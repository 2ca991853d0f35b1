// peers: postgres
import { mailServer } from "@svc/outbox/testing/mail-server";
import { generateMasterKey } from "@svc/secrets/master-keys";
import { expect, it, onTestFinished } from "vitest";
import { missing } from "../support/processes/missing-peers.ts";
import { sideBySide } from "../support/processes/side-by-side.ts";
import { createPolicy, execute, send } from "../support/server/api.ts";
import { type ChannelReceivers, channelReceivers } from "../support/server/channel-receivers.ts";
import { activate, deactivate } from "../support/server/kill-switches.ts";
import { type ServerOptions, serverOfTest } from "../support/server/server-process.ts";
import { type SharedStore, sharedDirectory, sharedPostgres } from "../support/server/shared-store.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const MAIL = "oncall@example.com";
const WAIT = { timeout: 20_000, interval: 50 };

const POLICY = `id: refunds
agent_id: agent-1
tools: { allowed: ['payments.*'] }
rules:
  - id: big
    match: { tool: payments.*, condition: { field: args.amount, operator: ">", value: 100 } }
    action: require_approval
    approval: { workflow: finance }
`;

/** The settings of a server that tells these receivers and a server for mail. */
async function told({ url }: ChannelReceivers, options: ServerOptions) {
  const mail = await mailServer({ disabledCommands: ["STARTTLS", "AUTH"] });
  onTestFinished(mail.close);
  const env = {
    ...options.env,
    SVC_SECRETS_KEY: generateMasterKey(),
    SVC_OUTBOUND_ALLOW: "127.0.0.1",
    SVC_PAGERDUTY_URL: url,
    SVC_SMTP_HOST: "127.0.0.1",
    SVC_SMTP_PORT: String(mail.port),
    SVC_SMTP_FROM: "svc@example.com",
    SVC_SMTP_TLS: "off",
  };
  return { mail, options: { ...options, env } };
}

const put = (server: string, path: string, body: unknown) =>
  send("PUT", `${server}/api/v1/${path}`, { body });
const notify = (server: string, ...notify_channels: readonly unknown[]) =>
  put(server, "namespaces/default/rogue-detection", { rogue_detection: { escalation: { notify_channels } } });

async function tellsPeople(open: () => Promise<SharedStore>): Promise<void> {
  const receivers = await channelReceivers();
  const { before, after } = await open();
  const { mail, options } = await told(receivers, before);
  const first = await serverOfTest(options);
  const slack = `${receivers.url}/services/k3v7-secret`;
  const channel = await put(first.url, "notification-channels/operations", { slack });
  expect(channel).toMatchObject({ status: 200, body: { kind: "slack", slack: "set" } });
  const named = await notify(first.url, { channel: "operations" }, { pagerduty: KEY }, { email: [MAIL] });
  expect(named.status).toBe(200);
  expect(JSON.stringify([channel.body, named.body])).not.toMatch(/k3v7|0123456789abcdef/);
  const finance = { id: "finance", channels: [{ chat: `${receivers.url}/finance` }] };
  const created = await send("POST", `${first.url}/api/v1/approval-workflows`, { body: finance });
  expect(created).toMatchObject({ status: 201, body: { channels: [{ slack: "set" }] } });

  const test = await send("POST", `${first.url}/api/v1/notification-channels/operations/test`);
  expect(test).toMatchObject({ status: 200, body: { delivered: true, status: 200, answer: "ok" } });

  const { body } = await activate(first.url, { scope: "agent", target_id: "agent-9" });
  await expect.poll(() => receivers.pages, WAIT).toMatchObject([{ event_action: "trigger" }]);
  await expect.poll(() => mail.taken.length, WAIT).toBe(1);
  await expect
    .poll(() => receivers.chat, WAIT)
    .toEqual(["🔵 Test message of Svc", expect.stringContaining("agent-9")]);
  expect(mail.taken[0]).toMatchObject({ from: "svc@example.com", to: [MAIL] });
  await deactivate(first.url, body["kill_switch_id"]);
  await expect
    .poll(() => receivers.pages.map(({ event_action }) => event_action), WAIT)
    .toEqual(["trigger", "resolve"]);
  expect(receivers.pages[1]?.["dedup_key"]).toBe(receivers.pages[0]?.["dedup_key"]);

  expect((await createPolicy(first.url, POLICY)).status).toBe(201);
  receivers.areDown = true;
  expect((await execute(first.url, { args: { amount: 900 } })).body).toMatchObject({ decision: "pause" });
  await first.stop("SIGKILL");
  receivers.areDown = false;
  const second = await serverOfTest({ ...after, env: { ...options.env, ...after.env } });
  await expect.poll(() => receivers.chat, WAIT).toContainEqual(expect.stringContaining("Approval needed"));
  expect(receivers.chat.filter((title) => title.includes("Approval needed"))).toHaveLength(1);
  expect(receivers.refused).toEqual([]);

  const rows = await send("GET", `${second.url}/api/v1/audit?kind=notification_channel`);
  expect(rows.body["rows"]).toHaveLength(4);
  expect(JSON.stringify(rows.body)).not.toMatch(/k3v7|0123456789abcdef/);
  const inUse = await send("DELETE", `${second.url}/api/v1/notification-channels/operations`);
  expect(inUse).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining("namespace default") },
  });
}

const STORES = missing.postgres === null ? [sharedDirectory, sharedPostgres] : [sharedDirectory];

// proves CHAN-11, HOOK-08
it("people are told by chat, pager and mail on each store that is here, also after a kill -9", async () => {
  await sideBySide(...STORES.map(tellsPeople));
}, 90_000);

// proves CHAN-12
it("refuses to register a channel where nothing may be sent", async () => {
  const { url } = await serverOfTest();
  for (const [address = "", why = ""] of [
    ["http://127.0.0.1:9/x", "private address"],
    ["http://169.254.169.254/latest/meta-data", "never calls"],
    ["https://[::ffff:10.0.0.1]/x", "private address"],
  ]) {
    const direct = await put(url, "notification-channels/operations", { slack: address });
    const expected = expect.stringMatching(`^an address that may be called: .*${why}`) as string;
    const error = { pointer: "/slack", expected };
    expect(direct).toMatchObject({ status: 400, body: { errors: [error] } });
    expect(String(direct.body["detail"])).toContain(why);
    const pointer = "/rogue_detection/escalation/notify_channels/0/webhook";
    expect(await notify(url, { webhook: address })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer }] },
    });
  }
}, 60_000);
