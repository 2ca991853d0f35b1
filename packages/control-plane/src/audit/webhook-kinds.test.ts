import type { AuditRow } from "@svc/contract/audit-row";
import { parseWebhookCreation } from "@svc/contract/webhook";
import { WEBHOOK_EVENTS, WEBHOOK_TYPES, type WebhookEvent } from "@svc/contract/webhook-event";
import { webhookEventsOfRow } from "@svc/contract/webhook-events-of-row";
import { NO_CLAIMS } from "@svc/store/ports/claims";
import { canonicalJson } from "@svc/text/canonical-json";
import { beforeAll, describe, expect, it } from "vitest";
import { quarantineAgent } from "../agents/quarantine-agent.ts";
import { registerAgent } from "../agents/register-agent.ts";
import { AlertWork } from "../alerts/alert-work.ts";
import { recordAnomaly } from "../anomalies/record-anomaly.ts";
import { denyApproval } from "../approvals/deny-approval.ts";
import { activateKillSwitch } from "../kill-switches/activate-kill-switch.ts";
import { deactivateKillSwitch } from "../kill-switches/deactivate-kill-switch.ts";
import { createPolicy } from "../policies/create-policy.ts";
import { rollbackPolicy } from "../policies/rollback-policy.ts";
import { updatePolicy } from "../policies/update-policy.ts";
import { createSeverityOperations } from "../rogue/severity-operations.ts";
import type { ContainedAgent } from "../rogue/supervision-view.ts";
import { raise } from "../rogue/testing/agent-sessions.ts";
import { activation } from "../testing/activation.ts";
import { yaml } from "../testing/documents.ts";
import { openClaim } from "../testing/open-claim.ts";
import { OPERATOR, type TestPorts, testPorts } from "../testing/test-ports.ts";
import { createWebhook } from "../webhooks/create-webhook.ts";
import { disableWebhook } from "../webhooks/webhooks.ts";

/** Their rows are written by the gateway, whose own test has them. */
const OF_THE_GATEWAY = ["policy.decision", "approval.requested"];

const SESSION = { org: "acme", agentId: "a-1", sessionId: "s-1" };

async function policies(ports: TestPorts): Promise<void> {
  await createPolicy(ports, OPERATOR, yaml());
  await updatePolicy(ports, OPERATOR, { id: "refunds", text: yaml({ name: "2" }), expectedVersion: 1 });
  await rollbackPolicy(ports, OPERATOR, { id: "refunds", target_version: 1 });
}

async function switches(ports: TestPorts): Promise<void> {
  for (const ttl_seconds of [60, 600]) await activateKillSwitch(ports, OPERATOR, activation({ ttl_seconds }));
  await ports.followed.catchUp();
  await ports.time.advance(600_000);
  const killed = await activateKillSwitch(
    ports,
    OPERATOR,
    activation({ reason: "token ghp_" + "x1Y2".repeat(9) }),
  );
  if (killed.kind !== "activated") throw new Error(`expected a switch, found ${killed.kind}`);
  const { kill_switch_id } = killed.answer;
  const ending = { reason: "over", deactivated_by: "ana", trigger_source: "api" } as const;
  await deactivateKillSwitch(ports, OPERATOR, { ...ending, kill_switch_id });
}

/** An agent that is registered, found unusual, held and stopped by the service. */
async function agents(ports: TestPorts): Promise<void> {
  const auditIndex = { agents: async () => ({ agents: [], behind: [] }), agentSessions: async () => never() };
  const known = { id: "a-1", name: "A", namespace: "default", parent_agent_id: null };
  await registerAgent({ ...ports, auditIndex }, OPERATOR, {
    ...known,
    provider: null,
    tags: [],
    capabilities: [],
  });
  const request = { reason: "odd", quarantined_by: "ana", ttl_seconds: null, dry_run: false };
  await quarantineAgent({ ...ports, auditIndex }, OPERATOR, { id: "a-1", request });
  const beat = { ...SESSION, namespace: "default", parentSessionId: null, parentAgentId: null };
  await ports.supervision.recordHeartbeats([{ ...beat, ended: false, ageMs: 0 }]);
  const atMs = ports.clock.now().getTime();
  const odd = {
    anomaly: "deny_storm",
    subject: "",
    explanation: "had 30 calls denied",
    evidence: {},
  } as const;
  await recordAnomaly(ports, { ...SESSION, namespace: "default", ...odd, atMs, quietMs: 60_000 });
  await raise(ports, "EMERGENCY");
  const denied = {
    anomaly: "policy_violations",
    subject: "no-delete",
    explanation: "had 20 calls denied",
  } as const;
  const evidence = {
    rule_id: "no-delete",
    count: 20,
    since: ports.clock.now().toISOString(),
    decision_ids: [],
  };
  await recordAnomaly(ports, {
    ...SESSION,
    namespace: "default",
    ...denied,
    evidence,
    atMs,
    quietMs: 60_000,
  });
  const session = await ports.supervision.session(SESSION);
  if (session === null) throw new Error("expected a session");
  const sessionCallers = { callers: async () => ({ agents: [], sessions: [], complete: true }) };
  await createSeverityOperations({ ...ports, sessionCallers }).terminate(session, true);
}

function never(): never {
  throw new Error("not asked here");
}

async function approvals(ports: TestPorts): Promise<void> {
  const row = canonicalJson({ args: {}, args_digest: "d", call_digest: "d", reason: "why" });
  const opensApproval = openClaim(ports.clock.now().getTime(), { policyId: "refunds", requestedBy: "agent" });
  await ports.database.ledger.commit([{ row, claims: { ...NO_CLAIMS, opensApproval } }]);
  await denyApproval(ports, OPERATOR, { id: "apr_1", reason: "no" });
}

/** The events of every row that the parts of the control plane have written, in their order. */
async function eventsOf({ database }: TestPorts): Promise<readonly WebhookEvent[]> {
  const { events } = await database.auditStore.eventRows({
    from: new Map([["log", 0]]),
    limit: 1_000,
    maxBytes: 1_000_000,
  });
  return events
    .map(({ data }) => JSON.parse(data) as { readonly id: string; readonly row: AuditRow })
    .flatMap((placed) => webhookEventsOfRow(placed));
}

async function alerts(ports: TestPorts): Promise<void> {
  let contained: readonly ContainedAgent[] = [
    { org: "acme", agentId: "a-1", sessions: [{ sessionId: "s-1", severity: "CRITICAL" }] },
  ];
  const work = new AlertWork({
    ...ports,
    contained: () => contained,
    news: () => null,
    endpoints: async () => [],
  });
  work.start();
  await ports.time.advance(60_000);
  contained = [];
  await ports.time.advance(60_000);
  await work.stop();
}

async function endpoints(ports: TestPorts): Promise<void> {
  const asked = parseWebhookCreation({ url: "https://hooks.example/in?token=t-1", events: ["*"] });
  if (!asked.ok) throw new Error("expected a webhook");
  const made = await createWebhook(ports, OPERATOR, asked.value);
  if (made.kind !== "ok") throw new Error(made.problem.detail);
  await disableWebhook(ports, "acme", { id: made.value.id, reason: "gone" });
}

describe("events of the rows that the control plane writes", () => {
  let events: readonly WebhookEvent[] = [];
  beforeAll(async () => {
    const ports = testPorts();
    for (const write of [policies, switches, agents, approvals, alerts, endpoints]) await write(ports);
    events = await eventsOf(ports);
  });

  // proves HOOK-21
  it.each(WEBHOOK_TYPES.filter((type) => !OF_THE_GATEWAY.includes(type)))("%s is one of them", (type) => {
    const found = events.filter((event) => event.type === type);
    expect(found).not.toEqual([]);
    for (const { data, org_id, log_id } of found) {
      expect(WEBHOOK_EVENTS[type].data.safeParse(data).error).toBeUndefined();
      expect([org_id, log_id]).toEqual(["acme", "log"]);
    }
  });

  it("have an id of their own each, and numbers that grow", () => {
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    const numbers = events.map(({ sequence }) => sequence);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  });

  // proves HOOK-22
  it("say of a switch of rogue detection what they say of one by a person", () => {
    const activated = events.filter(({ type }) => type === "killswitch.activated").map(({ data }) => data);
    const bySource = Map.groupBy(activated, ({ trigger_source }) => trigger_source);
    const [ofPerson, ofService] = ["api", "rogue_detection"].map((source) => bySource.get(source)?.[0]);
    expect(Object.keys(ofService ?? {})).toEqual(Object.keys(ofPerson ?? {}));
    expect(ofService).toMatchObject({ scope: "session", target_id: "s-1", account_wide: false });
  });

  it("have no secret that somebody wrote into a reason or an address", () => {
    expect(JSON.stringify(events)).not.toMatch(/ghp_|t-1/);
  });
});
