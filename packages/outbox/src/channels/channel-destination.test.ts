import { refusePagerdutyBody } from "@svc/channels/testing/refuse-pagerduty-body";
import { refuseSlackBody } from "@svc/channels/testing/refuse-slack-body";
import { sampleWebhookEvent, type WebhookEvent, type WebhookType } from "@svc/contract/webhook-event";
import type { OutboundOutcome, OutboundRequest } from "@svc/outbound/outbound-dialer";
import { systemClock } from "@svc/process/clock";
import { parseJson } from "@svc/text/parse-json";
import { describe, expect, it } from "vitest";
import { deliveryOf } from "../delivery.ts";
import { type Channel, type ChannelAddress, channelDestination, sendTest } from "./channel-destination.ts";

const never = new AbortController().signal;

const KEY = "0123456789abcdef0123456789abcdef";
const SLACK = { kind: "slack", address: "https://chat.example/T0/k3v7", signing: null, email: [] } as const;
const PAGER = { kind: "pagerduty", address: KEY, signing: null, email: [] } as const;

function eventOf(type: WebhookType, data: WebhookEvent["data"] = {}): WebhookEvent {
  const event = sampleWebhookEvent(type, {
    id: "evt_1",
    timestamp: "2026-11-28T09:00:00.000Z",
    org_id: "acme",
  });
  return { ...event, data: { ...event.data, ...data } };
}

interface Told extends Partial<Omit<Channel, "address" | "namespaces" | "workflows">> {
  readonly address?: ChannelAddress;
  readonly namespaces?: readonly string[];
  readonly workflows?: readonly string[];
  readonly status?: number;
}

/** A channel whose receiver answers so. `apr_5c2a` has the workflow `finance`, `ghost` is nowhere. */
function channel({ address = SLACK, namespaces = [], workflows = [], status = 200 }: Told = {}) {
  const requests: OutboundRequest[] = [];
  const answer: OutboundOutcome = {
    kind: "answer",
    status,
    headers: {},
    body: Buffer.from("ok"),
    isCut: false,
  };
  const parts = {
    dialer: {
      send: async (request: OutboundRequest) => {
        requests.push(request);
        return answer;
      },
    },
    clock: systemClock,
    mail: null,
    pagerdutyUrl: "https://events.pagerduty.com",
    publicUrl: "https://svc.example",
    facts: {
      workflowOf: async (_org: string, id: string) => (id === "apr_5c2a" ? "finance" : null),
      namespacesOf: async (_org: string, { id }: { id: string }) => (id === "ghost" ? [] : ["prod"]),
    },
  };
  const named = { namespaces: new Set(namespaces), workflows: new Set(workflows) };
  const place = { id: "chn_1", org: "acme", courseVersion: 1 };
  const destination = channelDestination(parts, { ...place, address, ...named });
  const digest = (text: string) => Buffer.from(text).toString("hex").padStart(64, "0");
  const isTold = async (event: WebhookEvent) => {
    if (!destination.takes(event)) return false;
    const delivery = deliveryOf(digest, destination, { event, row: { logId: "gw", seq: 1 } });
    return (await destination.narrow?.([delivery]))?.length === 1;
  };
  return { parts, destination, requests, isTold };
}

// proves CHAN-09, HOOK-08
describe("who is told about what", () => {
  it.each<[what: string, event: WebhookEvent, told: Told, is: boolean]>([
    ["an approval of its workflow", eventOf("approval.requested"), { workflows: ["finance"] }, true],
    ["an approval of another workflow", eventOf("approval.requested"), { workflows: ["board"] }, false],
    ["an approval of a workflow", eventOf("approval.requested"), { namespaces: ["default"] }, false],
    [
      "an approval without a workflow",
      eventOf("approval.requested", { approval_id: "apr_2" }),
      { namespaces: ["default"] },
      true,
    ],
    ["a severity of its namespace", eventOf("agent.severity_changed"), { namespaces: ["default"] }, true],
    ["a severity of another namespace", eventOf("agent.severity_changed"), { namespaces: ["prod"] }, false],
    ["an anomaly", eventOf("agent.anomaly"), { namespaces: ["default"] }, true],
    ["an anomaly for a workflow", eventOf("agent.anomaly"), { workflows: ["finance"] }, false],
    [
      "a switch of an agent of its namespace",
      eventOf("killswitch.activated"),
      { namespaces: ["prod"] },
      true,
    ],
    ["a switch of an agent of another", eventOf("killswitch.activated"), { namespaces: ["default"] }, false],
    [
      "a switch of an agent that nobody knows",
      eventOf("killswitch.activated", { target_id: "ghost", agent_id: "ghost" }),
      { namespaces: ["default"] },
      true,
    ],
    [
      "a switch of its namespace",
      eventOf("killswitch.activated", { scope: "namespace", agent_id: null, namespace: "stage" }),
      { namespaces: ["stage"] },
      true,
    ],
    [
      "an account-wide switch",
      eventOf("killswitch.activated", { account_wide: true, target_id: null }),
      { namespaces: ["stage"] },
      true,
    ],
    ["an alert about an agent of its namespace", eventOf("alert.opened"), { namespaces: ["prod"] }, true],
    ["an alert about an agent of another", eventOf("alert.opened"), { namespaces: ["default"] }, false],
    [
      "an alert about the service",
      eventOf("alert.resolved", { agent_id: null }),
      { namespaces: ["default"] },
      true,
    ],
    ["a decision", eventOf("policy.decision"), { namespaces: ["default"], workflows: ["finance"] }, false],
    [
      "another organization",
      { ...eventOf("agent.anomaly"), org_id: "other" },
      { namespaces: ["default"] },
      false,
    ],
  ])("%s", async (_what, event, told, is) => {
    expect(await channel(told).isTold(event)).toBe(is);
  });
});

// proves CHAN-05
describe("what one message a minute is about", () => {
  const about = (type: WebhookType, data: WebhookEvent["data"] = {}) =>
    channel().destination.conditionOf(eventOf(type, data));

  it("is one kill switch: a message about one stands for no other, and its end is told at once", () => {
    const begun = about("killswitch.activated", { target_id: "k1" });
    expect(about("killswitch.activated", { target_id: "k2" }).about).not.toBe(begun.about);
    for (const type of ["killswitch.deactivated", "killswitch.expired"] as const)
      expect(about(type, { scope: "agent", account_wide: false, target_id: "k1" })).toEqual({
        about: begun.about,
        state: "ended",
      });
    expect(begun.state).toBe("raised");
  });

  it("is an alert with its end, and else counts events", () => {
    const opened = about("alert.opened", { condition: "index_late", subject: "gw" });
    const resolved = about("alert.resolved", { condition: "index_late", subject: "gw" });
    expect([opened.state, resolved]).toEqual(["raised", { about: opened.about, state: "ended" }]);
    expect(about("agent.anomaly").state).toBeNull();
  });

  it("links to all approvals where it stands for several", async () => {
    const { destination, requests } = channel();
    const event = eventOf("approval.requested");
    await destination.send({ id: "dlv_1", event }, 3, never);
    expect(String(requests[0]?.body)).toContain("<https://svc.example/approvals|");
  });
});

// proves CHAN-10
describe("what a receiver gets", () => {
  const delivery = { id: "dlv_1", event: eventOf("agent.severity_changed") };

  it("is a message that a chat takes", async () => {
    const { destination, requests } = channel();
    expect(await destination.send(delivery, 40, never)).toMatchObject({ kind: "delivered", status: 200 });
    expect(requests).toMatchObject([{ url: SLACK.address, method: "POST" }]);
    expect(refuseSlackBody(String(requests[0]?.body))).toBeNull();
    expect(String(requests[0]?.body)).toContain("The newest of 40 such events.");
  });

  it("is an event that a pager takes, and that ends when the severity falls", async () => {
    const { destination, requests } = channel({ address: PAGER, status: 202 });
    const fallen = { id: "dlv_2", event: eventOf("agent.severity_changed", { severity: "INFO" }) };
    await destination.send(delivery, 1, never);
    await destination.send(fallen, 1, never);
    const bodies = requests.map(({ body }) => String(body));
    expect(bodies.map(refusePagerdutyBody)).toEqual([null, null]);
    const sent = bodies.map((body) => parseJson(body) as Readonly<Record<string, unknown>>);
    expect(sent.map(({ event_action }) => event_action)).toEqual(["trigger", "resolve"]);
    expect(new Set(sent.map(({ dedup_key }) => dedup_key)).size).toBe(1);
    expect(requests[0]?.url).toBe("https://events.pagerduty.com/v2/enqueue");
  });

  it.each([
    [400, "refused"],
    [413, "refused"],
    [403, "failed"],
    [404, "failed"],
    [410, "gone"],
    [429, "failed"],
    [500, "failed"],
    [302, "failed"],
  ] as const)("that answers %d: %s", async (status, kind) => {
    expect(await channel({ status }).destination.send(delivery, 1, never)).toMatchObject({ kind, status });
  });

  it("is the whole event, signed, where the channel is a webhook, each one for itself", async () => {
    const address = {
      kind: "webhook",
      address: "https://hooks.example/in",
      signing: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3",
      email: [],
    } as const;
    const { destination, requests } = channel({ address });
    expect(destination.hasConditions).toBe(false);
    expect(await destination.send(delivery, 1, never)).toMatchObject({ kind: "delivered" });
    expect(requests[0]?.headers).toMatchObject({
      "x-svc-event": "agent.severity_changed",
      "x-svc-delivery": "dlv_1",
    });
  });

  it("waits where the server sends no mail", async () => {
    const address = { kind: "email", address: null, signing: null, email: ["a@b.example"] } as const;
    const outcome = await channel({ address }).destination.send(delivery, 1, never);
    expect(outcome).toMatchObject({ kind: "failed", fault: expect.stringContaining("SVC_SMTP_HOST") });
  });

  it("says of a test that it is one", async () => {
    const { parts, requests } = channel();
    await sendTest(parts, { org: "acme", id: "test_1", address: SLACK });
    expect(String(requests[0]?.body)).toContain("Test message of Svc");
    expect(refuseSlackBody(String(requests[0]?.body))).toBeNull();
  });
});
