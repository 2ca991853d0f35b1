import { notifyChannelsSchema } from "@svc/contract/notify-channel";
import { describe, expect, it } from "vitest";
import { createWorkflow, removeWorkflow } from "../approval-workflows/change-workflow.ts";
import { getRogueDetection } from "../namespaces/get-rogue-detection.ts";
import { putRogueDetection } from "../namespaces/put-rogue-detection.ts";
import { requestedRogueDetection } from "../testing/requested-rogue-detection.ts";
import { OPERATOR, testPorts } from "../testing/test-ports.ts";
import {
  createChannel,
  disableChannel,
  getChannel,
  listChannels,
  openChannel,
  removeChannel,
  testChannel,
  updateChannel,
} from "./channels.ts";

const SECRET = "k3v7-secret";
const SLACK = `https://chat.example/services/${SECRET}`;
const target = { kind: "slack", address: SLACK } as const;
const ORDER = { id: "operations", target, description: "chat", secret: null };
const PAGE = { limit: 10, after: null };

async function withChannel() {
  const ports = testPorts();
  expect(await createChannel(ports, OPERATOR, ORDER)).toMatchObject({ kind: "ok" });
  return ports;
}

/** Sets the channels of the namespace `default`. */
async function notify(ports: ReturnType<typeof testPorts>, ...notify_channels: { [name: string]: string }[]) {
  const settings = requestedRogueDetection({ escalation: { notify_channels } });
  return putRogueDetection(ports, OPERATOR, { id: "default", settings });
}

async function shown(ports: ReturnType<typeof testPorts>) {
  const found = await getRogueDetection(ports, OPERATOR, "default");
  if (found.kind === "problem") throw new Error(found.problem.detail);
  return found.value.rogue_detection.escalation.notify_channels;
}

it("tells what happens from when somebody names it, and is not set back later", async () => {
  const ports = await withChannel();
  const sizes = async () => (await ports.rows.eventRows({ from: new Map(), limit: 0, maxBytes: 1 })).sizes;
  const begins = async () => {
    const { record } = (await ports.notificationChannels.everyInForce())[0] ?? {};
    return (await ports.deliveries.course(record?.course_id ?? ""))?.course.positions;
  };
  const named = await sizes();
  expect(await begins()).not.toEqual(named);
  await notify(ports, { channel: "operations" });
  expect(await begins()).toEqual(named);
  await notify(ports, { channel: "operations" }, { slack: "https://other.example/x" });
  expect(await begins()).toEqual(named);
});

// proves CHAN-06
describe("a notification channel", () => {
  it("is created, read, replaced and removed, and shows no address", async () => {
    const ports = await withChannel();
    const record = {
      id: "operations",
      kind: "slack",
      slack: "set",
      origin: "https://chat.example",
      named: true,
    };
    const read = await getChannel(ports, OPERATOR, "operations");
    expect(read).toMatchObject({ kind: "ok", value: record });
    expect(await listChannels(ports, OPERATOR, PAGE)).toMatchObject({ value: { items: [record] } });
    const settings = {
      target: { kind: "email", addresses: ["a@b.example"] },
      description: null,
      secret: null,
    } as const;
    const put = await updateChannel(ports, OPERATOR, { id: "operations", settings });
    expect(put).toMatchObject({ value: { kind: "email", email: ["a@b.example"], origin: null } });
    expect(await removeChannel(ports, OPERATOR, "operations")).toMatchObject({ kind: "ok" });
    expect(await getChannel(ports, OPERATOR, "operations")).toMatchObject({ problem: { code: "not_found" } });
    expect(ports.database.auditRows.map((row) => "action" in row && row.action)).toEqual([
      "created",
      "updated",
      "removed",
    ]);
    expect(JSON.stringify([read, put, ports.database.auditRows])).not.toContain(SECRET);
  });

  it("keeps its address when the request says `set`", async () => {
    const ports = await withChannel();
    const settings = {
      target: { kind: "slack", address: "set" },
      description: "other",
      secret: null,
    } as const;
    await updateChannel(ports, OPERATOR, { id: "operations", settings });
    const record = await ports.notificationChannels.find(OPERATOR.org, "operations");
    if (record === null) throw new Error("expected the channel");
    expect(record.description).toBe("other");
    expect(await openChannel(ports, OPERATOR.org, record)).toMatchObject({ address: SLACK });
    const unknown = await updateChannel(ports, OPERATOR, { id: "new", settings });
    expect(unknown).toMatchObject({ problem: { errors: [{ pointer: "/slack" }] } });
  });

  it("is refused where nothing may be sent", async () => {
    const ports = { ...testPorts(), destinations: { judge: async () => "10.0.0.1 is a private address" } };
    const refused = await createChannel(ports, OPERATOR, ORDER);
    expect(refused).toMatchObject({
      problem: { code: "invalid_request", errors: [{ pointer: "/slack", found: '"https://chat.example"' }] },
    });
    expect(JSON.stringify(refused)).not.toContain(SECRET);
  });

  it("is made once under an id that a path can name", async () => {
    const ports = await withChannel();
    expect(await createChannel(ports, OPERATOR, ORDER)).toMatchObject({ problem: { code: "conflict" } });
    const update = { id: "a//b", settings: ORDER };
    expect(await updateChannel(ports, OPERATOR, update)).toMatchObject({
      problem: { code: "invalid_request" },
    });
  });

  it("says what a test message came to", async () => {
    const ports = await withChannel();
    expect(await testChannel(ports, OPERATOR, "operations")).toMatchObject({ value: { delivered: true } });
    expect(await testChannel(ports, OPERATOR, "none")).toMatchObject({ problem: { code: "not_found" } });
  });

  it("is disabled by the service, and used again when it is put", async () => {
    const ports = await withChannel();
    await disableChannel(ports, OPERATOR.org, { id: "operations", reason: "gone" });
    expect(await getChannel(ports, OPERATOR, "operations")).toMatchObject({
      value: { disabled_reason: "gone" },
    });
    expect(await ports.notificationChannels.everyInForce()).toEqual([]);
    await updateChannel(ports, OPERATOR, { id: "operations", settings: ORDER });
    expect(await getChannel(ports, OPERATOR, "operations")).toMatchObject({
      value: { disabled_reason: null },
    });
  });
});

// proves CHAN-07
describe("entries of namespaces and workflows", () => {
  it("with an address get a channel of their own, which goes with them", async () => {
    const ports = testPorts();
    expect(await notify(ports, { slack: SLACK }, { slack: SLACK })).toMatchObject({ kind: "ok" });
    const [entry, ...others] = await shown(ports);
    expect(others).toEqual([]);
    expect(entry).toEqual({ slack: "set", channel: expect.stringMatching(/^auto-[0-9a-f]{24}$/) });
    expect(notifyChannelsSchema.parse([entry])).toEqual([entry]);
    expect(JSON.stringify(ports.database.auditRows)).not.toContain(SECRET);
    const channel = entry?.channel ?? "";
    expect(await getChannel(ports, OPERATOR, channel)).toMatchObject({ value: { named: false } });
    // What an answer shows keeps it.
    await notify(ports, { slack: "set", channel });
    expect(await shown(ports)).toEqual([entry]);
    await notify(ports);
    expect(await getChannel(ports, OPERATOR, channel)).toMatchObject({ problem: { code: "not_found" } });
  });

  it("name a channel, which stays as long as they do", async () => {
    const ports = await withChannel();
    await notify(ports, { channel: "operations" });
    expect(await shown(ports)).toEqual([{ channel: "operations" }]);
    expect(await removeChannel(ports, OPERATOR, "operations")).toMatchObject({
      problem: { code: "conflict", detail: expect.stringContaining("namespace default") },
    });
    await notify(ports);
    expect(await removeChannel(ports, OPERATOR, "operations")).toMatchObject({ kind: "ok" });
  });

  it("are refused at their place when nothing has the name", async () => {
    const pointer = "/rogue_detection/escalation/notify_channels/1/channel";
    const refused = await notify(await withChannel(), { channel: "operations" }, { channel: "operation" });
    expect(refused).toMatchObject({ problem: { code: "invalid_request", errors: [{ pointer }] } });
  });

  it("of a workflow are kept as those of a namespace", async () => {
    const ports = testPorts();
    const approvers = { roles: null, keys: null, groups: null };
    const rest = { name: null, required: 1, approvers, expires_in_seconds: 60, on_expiry: "deny" } as const;
    const channels = [{ kind: "target", target } as const];
    const created = await createWorkflow(ports, OPERATOR, { ...rest, id: "finance", channels });
    if (created.kind === "problem") throw new Error(created.problem.detail);
    const { channel = "" } = created.value.channels[0] ?? {};
    expect(await removeChannel(ports, OPERATOR, channel)).toMatchObject({
      problem: { detail: expect.stringContaining("approval workflow finance") },
    });
    await removeWorkflow(ports, OPERATOR, { id: "finance", expectedVersion: null });
    expect(await getChannel(ports, OPERATOR, channel)).toMatchObject({ problem: { code: "not_found" } });
  });
});
