import { describe, expect, it } from "vitest";
import type { AgentRow } from "../audit/agent-row.ts";
import type { AnomalyRow } from "../audit/anomaly-row.ts";
import {
  type ApprovalRow,
  AUDIT_KINDS,
  type DecisionRow,
  type KillSwitchRow,
  type SeverityRow,
} from "../audit/audit-row.ts";
import { ROWS_WITHOUT_EVENTS } from "./rows-without-events.ts";
import { sampleWebhookEvent, WEBHOOK_EVENTS, WEBHOOK_TYPES } from "./webhook-event.ts";
import { renderWebhookBody, webhookEventsOfRow } from "./webhook-events-of-row.ts";

const COMMON = { v: 1, time: "2026-11-22T09:00:00.000Z", org: "acme", principal: "key-1" } as const;
const CALL = { namespace: "default", agent_id: "a", session_id: "s", tool: "pay", reason: "no" } as const;

const DECISION: DecisionRow = {
  ...COMMON,
  ...CALL,
  kind: "decision",
  args: { amount: 1 },
  args_digest: "hmac-sha256:0",
  call_digest: "hmac-sha256:0",
  shaped_args_digest: null,
  decision: "deny",
  would_be: null,
  mode: "enforcement",
  reason_code: "tool_denied",
  rule_id: null,
  policy_id: "p",
  policy_version: 1,
  approval_id: null,
  kill_switch_id: null,
  trigger_source: null,
  cost_usd: "0",
  steps: 0,
  fail_closed: false,
  latency_us: 1,
};
const APPROVAL: ApprovalRow = {
  ...COMMON,
  ...CALL,
  kind: "approval",
  action: "denied",
  approval_id: "apr_1",
  decision_id: "gw_1.2",
  approvals: 0,
  required: 1,
  edited_args_digest: null,
  by_requester: false,
};
const SWITCH: KillSwitchRow = {
  ...COMMON,
  kind: "kill_switch",
  action: "activated",
  kill_switch_id: "ks_1",
  scope: "agent",
  target_id: "a",
  account_wide: false,
  reason: "r",
  actor: "ana",
  trigger_source: "manual",
  expires_at: null,
};
const AGENT: AgentRow = {
  ...COMMON,
  kind: "agent",
  action: "registered",
  agent_id: "a",
  session_id: null,
  namespace: "default",
  previous_namespace: null,
  registration: { name: "A", provider: null, tags: [], capabilities: [], parent_agent_id: null },
  reason: null,
  actor: null,
  trigger_source: "api",
  expires_at: null,
};
const SEVERITY: SeverityRow = {
  ...COMMON,
  kind: "severity",
  agent_id: "a",
  session_id: "s",
  namespace: "default",
  previous_severity: "INFO",
  severity: "WARNING",
  reason: "r",
  trigger_source: "rogue_detection",
  missed_heartbeats: 1,
};
const ANOMALY: AnomalyRow = {
  ...COMMON,
  kind: "anomaly",
  agent_id: "a",
  session_id: null,
  namespace: null,
  anomaly: "call_burst",
  explanation: "e",
  evidence: {},
};

const PAUSE: DecisionRow = { ...DECISION, decision: "pause", approval_id: "apr_1" };

// proves CLI-76
describe("webhookEventsOfRow", () => {
  it.each([
    ["a decision", DECISION, ["policy.decision"]],
    ["a pause", PAUSE, ["policy.decision", "approval.requested"]],
    ["an approval that was denied", APPROVAL, ["approval.resolved"]],
    ["a vote", { ...APPROVAL, action: "voted" } as const, []],
    ["a kill switch", SWITCH, ["killswitch.activated"]],
    ["the end of a kill switch", { ...SWITCH, action: "deactivated" } as const, ["killswitch.deactivated"]],
    ["the dry run of a kill switch", { ...SWITCH, action: "dry_run" } as const, []],
    ["a registration", AGENT, ["agent.registered"]],
    ["an agent that was removed", { ...AGENT, action: "removed" } as const, []],
    ["a severity", SEVERITY, ["agent.severity_changed"]],
    ["a severity that is as it was", { ...SEVERITY, severity: "INFO" } as const, []],
    ["an anomaly", ANOMALY, ["agent.anomaly"]],
  ])("makes of %s what it is", (_, row, types) => {
    const events = webhookEventsOfRow({ id: "gw.1.7", row });
    expect(events.map(({ type }) => type)).toEqual(types);
    for (const { id, ...about } of events) {
      expect(id).toMatch(/^evt_gw~1-7(?:-approval)?$/);
      const place = { log_id: "gw.1", sequence: 7 };
      expect(about).toMatchObject({ timestamp: COMMON.time, org_id: "acme", schema_version: 1, ...place });
    }
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });

  it("has every event type in an example, in the form of its data", () => {
    for (const type of WEBHOOK_TYPES) {
      const { data, when } = WEBHOOK_EVENTS[type];
      const sample = sampleWebhookEvent(type, { id: "evt_1", timestamp: COMMON.time, org_id: "acme" });
      expect(data.safeParse(sample.data).error).toBeUndefined();
      expect(when.length).toBeGreaterThan(10);
    }
  });

  it("names each row that sends nothing, and no other", () => {
    const sending = new Set(WEBHOOK_TYPES.flatMap((type) => WEBHOOK_EVENTS[type].rows));
    expect(ROWS_WITHOUT_EVENTS.filter((name) => sending.has(name))).toEqual([]);
    const kinds = [...sending, ...ROWS_WITHOUT_EVENTS].map((name) => name.replace(/\..*/, ""));
    expect(new Set(kinds)).toEqual(new Set(AUDIT_KINDS));
  });

  it("leaves arguments out that would make a body too large, and says so", () => {
    const [small] = webhookEventsOfRow({ id: "gw.1", row: DECISION });
    const [large] = webhookEventsOfRow({
      id: "gw.2",
      row: { ...DECISION, args: { text: "ä".repeat(12_000) } },
    });
    if (small === undefined || large === undefined) throw new Error("expected events");
    expect(JSON.parse(renderWebhookBody(small))).toMatchObject({ data: { args: { amount: 1 } } });
    const body = renderWebhookBody(large);
    expect(JSON.parse(body)).toMatchObject({ id: "evt_gw-2", data: { args: null, args_omitted: true } });
    expect(Buffer.byteLength(body)).toBeLessThan(20_000);
  });

  it("leaves a registration out that would make a body too large, and says so", () => {
    const capabilities = Array.from({ length: 50 }, () => "\u0001".repeat(100));
    const registration = { name: "A", provider: null, tags: [], capabilities, parent_agent_id: null };
    const [event] = webhookEventsOfRow({ id: "gw.1", row: { ...AGENT, registration } });
    if (event === undefined) throw new Error("expected an event");
    const body = JSON.parse(renderWebhookBody(event)) as object;
    expect(body).toMatchObject({ data: { agent_id: "a", registration: null, registration_omitted: true } });
  });
});
