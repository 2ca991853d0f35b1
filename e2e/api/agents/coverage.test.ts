// peers: postgres
// long: it waits until a call lacks its outcome and a silent agent is noticed
// waits: until calls are compared with heartbeats
import { describe, expect, it } from "vitest";
import { missing } from "../../support/processes/missing-peers.ts";
import { callOf } from "../../support/server/api.ts";
import { BOOTSTRAP_ENV, clientOf, issueKey, operatorOf } from "../../support/server/api-keys.ts";
import { serverOfTest } from "../../support/server/server-process.ts";
import { type SharedStore, sharedDirectory, sharedPostgres } from "../../support/server/shared-store.ts";
import { rowsOf, STEP_WITHIN_MS, setLadder, untilSeverity } from "../../support/server/supervision.ts";

const POLICY = "id: pays\nagent_id: agent-1\ntools: { allowed: ['payments.*'] }\n";

/** Thresholds that a silent agent reaches within a test only when they are halved. */
const LADDER = {
  interval_seconds: 1,
  warn_after_missed: 3,
  critical_after_missed: 900,
  emergency_after_missed: 999,
};

const SESSION = { session_id: "run-1" };

async function stage({ before }: SharedStore) {
  const { env = {}, ...options } = before;
  const server = await serverOfTest({ ...options, env: { ...env, ...BOOTSTRAP_ENV } });
  const operator = operatorOf(server);
  const created = async () => (await operator("POST", "policies", { yaml: POLICY })).status;
  await expect.poll(created, { timeout: STEP_WITHIN_MS, interval: 100 }).toBe(201);
  const { key } = await issueKey(operator, { name: "agent-1", agents: ["agent-1"] });
  const agent = clientOf(server, key);
  const call = async (tool: string) => {
    const { body } = await agent("POST", "gateway/execute", { json: callOf({ ...SESSION, tool }) });
    return body;
  };
  const report = (decision: Readonly<Record<string, unknown>>, status: string) =>
    agent("POST", "gateway/outcome", { json: { decision_id: decision["decision_id"], status } });
  return { operator, agent, call, report };
}

async function coverage(shared: SharedStore): Promise<void> {
  const { operator, agent, call, report } = await stage(shared);
  await setLadder(operator, { interval_seconds: 3_600 }, { coverage: { outcome_within_seconds: 1 } });
  await agent("POST", "agents/agent-1/heartbeat", { json: SESSION });
  const covered = async () => (await operator("GET", "agents/agent-1/health")).body["coverage"];
  const until = async (wanted: object): Promise<void> =>
    expect.poll(covered, { timeout: STEP_WITHIN_MS, interval: 100 }).toMatchObject(wanted);
  const first = await call("payments.refund");
  await call("payments.refund");
  await until({ allows: 0, allows_without_outcome: 0, unreported_allows: 2 });
  expect((await report(first, "succeeded")).status).toBe(200);
  await until({ allows: 2, outcomes: 1, allows_without_outcome: 1, unreported_allows: 0, complete: true });
  const denied = await call("admin.drop");
  expect(denied).toMatchObject({ decision: "deny" });
  expect((await report(denied, "not_executed")).status).toBe(409);
  expect(await covered()).toMatchObject({ outcomes_without_decision: 0 });
  const ran = await report(denied, "succeeded");
  expect(ran).toMatchObject({ status: 409, body: { detail: expect.stringContaining("ran without one") } });
  expect((await report(denied, "succeeded")).status).toBe(409);
  await until({ outcomes_without_decision: 1 });
  const rows = await rowsOf(operator, "kind=outcome");
  expect(rows.map(({ decision_id }) => decision_id)).toEqual([first["decision_id"], denied["decision_id"]]);
}

async function anomalies(shared: SharedStore): Promise<void> {
  const { operator, agent, call, report } = await stage(shared);
  const settings = { outcome_within_seconds: 1, missing_outcomes: 2 };
  await setLadder(operator, { interval_seconds: 3_600 }, { coverage: settings });
  await agent("POST", "agents/agent-1/heartbeat", { json: SESSION });
  await report(await call("payments.refund"), "succeeded");
  await call("payments.refund");
  await call("payments.refund");
  await report(await call("admin.drop"), "failed");
  const reported = async () => {
    const { body } = await operator("GET", "agents/agent-1/health");
    const found = body["anomalies"] as readonly Record<string, unknown>[];
    return found.map(({ anomaly }) => String(anomaly)).toSorted();
  };
  const both = ["outcome_missing", "outcome_without_decision"];
  await expect.poll(reported, { timeout: 2 * STEP_WITHIN_MS, interval: 200 }).toEqual(both);
  expect((await operator("GET", "agents/agent-1/health")).body).toMatchObject({ severity: "WARNING" });
  const rows = await rowsOf(operator, "kind=anomaly");
  expect(rows.map(({ anomaly }) => String(anomaly)).toSorted()).toEqual(both);
  expect(rows.find(({ anomaly }) => anomaly === "outcome_missing")).toMatchObject({
    agent_id: "agent-1",
    ...SESSION,
    evidence: { allows: 3, without_outcome: 2 },
  });
}

async function risk(shared: SharedStore): Promise<void> {
  const { operator, agent, call, report } = await stage(shared);
  await setLadder(operator, LADDER, { risk: { sensitive_tools: ["payments.w*"] } });
  const wire = await call("payments.wire");
  expect(wire).toMatchObject({ decision: "allow" });
  const eta = async () => {
    await agent("POST", "agents/agent-1/heartbeat", { json: SESSION });
    return (await operator("GET", "agents/agent-1/health")).body["escalation_eta_seconds"];
  };
  await expect.poll(eta, { timeout: STEP_WITHIN_MS, interval: 100 }).toBe(1);
  await untilSeverity(operator, "agent-1", "WARNING");
  const raised = (await rowsOf(operator, "kind=severity")).find(({ severity }) => severity === "WARNING");
  // A machine that is busy can notice more than one miss at once.
  expect(String(raised?.["reason"])).toMatch(
    /missed under halved thresholds: a call of the sensitive tool payments\.wire has no outcome$/,
  );
  await report(wire, "succeeded");
  await expect.poll(eta, { timeout: STEP_WITHIN_MS, interval: 100 }).toBe(3);
}

describe.each([
  { name: "the embedded store", shared: sharedDirectory, skipped: false },
  { name: "PostgreSQL", shared: sharedPostgres, skipped: missing.postgres !== null },
])("calls and reports with $name", ({ shared, skipped }) => {
  // proves COVER-01, COVER-02, COVER-03, COVER-04
  // skip: PostgreSQL is not here
  it.skipIf(skipped)("shows calls without a report, and reports of calls that were not allowed", async () => {
    await coverage(await shared());
  });

  // proves COVER-05, COVER-06
  // skip: PostgreSQL is not here
  it.skipIf(skipped)("reports a session whose calls and reports do not fit together", async () => {
    await anomalies(await shared());
  });

  // proves ROGUE-16
  // skip: PostgreSQL is not here
  it.skipIf(skipped)("halves the thresholds while a call of a sensitive tool has no outcome", async () => {
    await risk(await shared());
  });
});
