import { sampleWebhookEvent, type WebhookEvent, type WebhookType } from "@svc/contract/webhook-event";
import { expect, it } from "vitest";
import { type Endpoint, takesEvent } from "./endpoint.ts";
import { endpointOf } from "./testing/endpoint-of.ts";

const ABOUT = { id: "evt_1", timestamp: "2026-11-22T09:00:00.000Z", org_id: "acme" };

function takes(changes: Partial<Endpoint>, type: WebhookType, org = "acme"): boolean {
  return takesEvent(endpointOf(changes), sampleWebhookEvent(type, { ...ABOUT, org_id: org }));
}

it.each<[what: string, changes: Partial<Endpoint>, type: WebhookType, taken: boolean]>([
  ["every kind", {}, "agent.anomaly", true],
  ["a kind that it names", { events: new Set(["agent.anomaly"]) }, "agent.anomaly", true],
  ["no kind that it does not name", { events: new Set(["agent.anomaly"]) }, "policy.decision", false],
  ["a decision that it names", { decisions: new Set(["deny"]) }, "policy.decision", true],
  ["no other decision", { decisions: new Set(["pause"]) }, "policy.decision", false],
  ["other events, whatever decisions it names", { decisions: new Set() }, "agent.anomaly", true],
  ["an agent that it names", { agents: new Set(["refund-agent"]) }, "agent.anomaly", true],
  ["no other agent", { agents: new Set(["other"]) }, "agent.anomaly", false],
  ["no kill switch of another agent", { agents: new Set(["a"]) }, "killswitch.activated", false],
  ["what names no namespace", { namespaces: new Set(["prod"]) }, "killswitch.activated", true],
  ["no other namespace", { namespaces: new Set(["prod"]) }, "policy.decision", false],
])("takes %s", (_, changes, type, taken) => {
  expect(takes(changes, type)).toBe(taken);
});

it.each<[what: string, data: WebhookEvent["data"]]>([
  ["all agents", { scope: "global", account_wide: true, agent_id: null, namespace: null }],
  ["all agents, where it names one", { account_wide: true, agent_id: "other", namespace: null }],
  ["a session", { scope: "session", target_id: "s1", account_wide: false, agent_id: null, namespace: null }],
])("takes a kill switch for %s, whatever it names", (_, data) => {
  const event = { ...sampleWebhookEvent("killswitch.activated", ABOUT), data };
  const endpoint = endpointOf({ agents: new Set(["a"]), namespaces: new Set(["default"]) });
  expect(takesEvent(endpoint, event)).toBe(true);
});

it("takes nothing of another organization", () => {
  expect(takes({}, "policy.decision", "other")).toBe(false);
});
