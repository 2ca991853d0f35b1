// long: it waits until silent agents are terminated
// waits: until silent agents are rated
import { expect, it } from "vitest";
import { callOf } from "../../support/server/api.ts";
import { BOOTSTRAP_ENV, type Client, clientOf, issueKey, operatorOf } from "../../support/server/api-keys.ts";
import { serverOfTest } from "../../support/server/server-process.ts";
import { FAST_LADDER, rowsOf, STEP_WITHIN_MS, untilSeverity } from "../../support/server/supervision.ts";

const SECOND_MS = 1_000;

/** Settings in which nothing but the loss of a parent raises a severity. */
const PATIENT = {
  ...FAST_LADDER,
  warn_after_missed: 900,
  critical_after_missed: 950,
  emergency_after_missed: 999,
};

const ORPHANS = { parent_check_interval_seconds: 1, grace_period_seconds: 1 };

const NAMESPACES = {
  strict: {
    heartbeat: FAST_LADDER,
    escalation: { auto_kill_on_emergency: true, notify_channels: [{ slack: "https://chat.example/strict" }] },
  },
  /** The same thresholds without a kill switch and without channels. */
  mild: { heartbeat: FAST_LADDER, escalation: { auto_kill_on_emergency: false } },
  /** The same counts of heartbeats, which come half as often. */
  slow: { heartbeat: { ...FAST_LADDER, interval_seconds: 2, emergency_after_missed: 600 } },
  orphans: { heartbeat: PATIENT, orphan_detection: ORPHANS },
  free: { heartbeat: PATIENT, orphan_detection: { ...ORPHANS, enabled: false } },
} as const;

type Namespace = keyof typeof NAMESPACES;

const names = Object.keys(NAMESPACES) as Namespace[];

async function setSettings(operator: Client): Promise<void> {
  for (const id of names) {
    expect((await operator("POST", "namespaces", { json: { id } })).status).toBe(201);
    const json = { rogue_detection: NAMESPACES[id] };
    expect((await operator("PUT", `namespaces/${id}/rogue-detection`, { json })).status).toBe(200);
  }
}

const beat = (agent: Client, namespace: Namespace, json: object) =>
  agent("POST", `agents/${namespace}/heartbeat`, { json });

/** Severities of the agent of a namespace, each with the milliseconds since it was heard last. */
async function stepsOf(operator: Client, namespace: Namespace) {
  const { body } = await operator("GET", `agents/${namespace}/health`);
  const heardAtMs = Date.parse(String(body["last_heartbeat"]));
  const rows = await rowsOf(operator, `kind=severity&agent_id=${namespace}`);
  return rows
    .filter(({ severity, previous_severity: before }) => severity !== before)
    .map((row) => {
      expect(row["namespace"]).toBe(namespace);
      return { severity: row["severity"], afterMs: Date.parse(String(row["time"])) - heardAtMs };
    });
}

const severities = (steps: Awaited<ReturnType<typeof stepsOf>>) => steps.map(({ severity }) => severity);

// proves ROGUE-15
it("each namespace has its own intervals, thresholds, orphan checks, switches and channels", async () => {
  const server = await serverOfTest({ env: BOOTSTRAP_ENV });
  const operator = operatorOf(server);
  await setSettings(operator);
  const agents = new Map<Namespace, Client>();
  for (const id of names)
    agents.set(id, clientOf(server, (await issueKey(operator, { agents: [id], namespaces: [id] })).key));
  const agentOf = (id: Namespace) => agents.get(id) ?? operator;
  for (const id of names) {
    const interval = async () =>
      (await beat(agentOf(id), id, { session_id: `run-${id}` })).body["interval_seconds"];
    await expect.poll(interval, { timeout: STEP_WITHIN_MS }).toBe(NAMESPACES[id].heartbeat.interval_seconds);
  }
  for (const id of ["orphans", "free"] as const) {
    await beat(agentOf(id), id, { session_id: `child-${id}`, parent_session_id: `run-${id}` });
    await beat(agentOf(id), id, { session_id: `run-${id}`, ended: true });
  }

  for (const id of ["strict", "mild"] as const) {
    await untilSeverity(operator, id, "EMERGENCY");
    expect(severities(await stepsOf(operator, id))).toEqual(["WARNING", "CRITICAL", "EMERGENCY"]);
  }
  await untilSeverity(operator, "slow", "CRITICAL");
  const slow = await stepsOf(operator, "slow");
  expect(severities(slow)).toEqual(["WARNING", "CRITICAL"]);
  expect(slow[0]?.afterMs).toBeGreaterThan(4 * SECOND_MS);
  await untilSeverity(operator, "orphans", "CRITICAL");
  expect(severities(await stepsOf(operator, "free"))).toEqual([]);

  const switches = async () => (await operator("GET", "kill-switch")).body["kill_switches"];
  await expect.poll(switches, { timeout: STEP_WITHIN_MS }).toMatchObject([{ target_id: "run-strict" }]);
  const json = { ...callOf({ session_id: "run-mild" }), agent_id: "mild", namespace: "mild" };
  const denied = await agentOf("mild")("POST", "gateway/execute", { json });
  expect(denied.body).toMatchObject({ decision: "deny", reason_code: "severity_emergency" });

  for (const id of names) {
    const { body } = await operator("GET", `namespaces/${id}/rogue-detection`);
    const told = id === "strict" ? [{ slack: "set", channel: expect.any(String) }] : [];
    expect(body).toMatchObject({ rogue_detection: { escalation: { notify_channels: told } } });
  }
}, 90_000);
