import { expect, it } from "vitest";
import { createPolicy, execute, send } from "../../support/server/api.ts";
import { serverOfTest } from "../../support/server/server-process.ts";

const SHADOW = `id: refunds
agent_id: agent-1
governance_mode: shadow
tools: { allowed: ['payments.refund'] }
session: { max_steps: 3 }
`;

// proves AUD-67
it("a report says what enforcement would change, by version, rule and tool, with examples", async () => {
  const { url } = await serverOfTest();
  await createPolicy(url, SHADOW);
  await execute(url);
  const decided = await execute(url, { tool: "payments.charge" });
  expect(decided.body).toMatchObject({ decision: "allow", would_be: { decision: "deny" } });
  await execute(url, { agent_id: "agent-2" });
  const report = await send("GET", `${url}/api/v1/policies/refunds/report`);
  expect(report.body).toMatchObject({
    decisions: 2,
    allow: 2,
    deny: 0,
    newly_denied: 1,
    newly_paused: 0,
    agents: 1,
    sessions: 1,
    versions: [{ policy_version: 1, decisions: 2, newly_denied: 1, agents: 1, sessions: 1 }],
    would_change: [
      { tool: "payments.charge", would_be: "deny", count: 1, examples: [decided.body["decision_id"]] },
    ],
    groups_left_out: 0,
    indexed: { complete: true },
  });
  const past = await send("GET", `${url}/api/v1/policies/refunds/report?until=2026-01-01`);
  expect(past.body).toMatchObject({ decisions: 0, groups: [], until: "2026-01-01T00:00:00.000Z" });
  const path = `${url}/api/v1/policies`;
  expect((await send("GET", `${path}/unknown/report`)).status).toBe(404);
  expect((await send("GET", `${path}/refunds/report?since=2026-01-02&until=2026-01-01`)).status).toBe(400);
});

// proves AUD-66
it("a session is answered with what governed, limited and stopped it", async () => {
  const { url } = await serverOfTest();
  await createPolicy(url, SHADOW.replace("shadow", "enforcement"));
  const first = await execute(url);
  await execute(url, { tool: "payments.charge" });
  await execute(url, { session_id: "another" });
  const report = { decision_id: first.body["decision_id"], status: "succeeded" };
  await send("POST", `${url}/api/v1/gateway/outcome`, { body: report });
  const stop = { scope: "session", target_id: "s-1", reason: "enough", activated_by: "test" };
  const made = await send("POST", `${url}/api/v1/kill-switch`, { body: stop });
  await execute(url);
  const kill_switch_id = made.body["kill_switch_id"];
  const session = await send("GET", `${url}/api/v1/sessions/agent-1/s-1`);
  expect(session.body).toMatchObject({
    usage: { steps: 1, cost_usd: "0" },
    decisions: { allow: 1, deny: 2, pause: 0 },
    without_outcome: 0,
    counted_rows: 4,
    counted_all: true,
    policies: [
      { policy_id: "refunds", policy_version: 1, ceilings: { max_steps: 3, max_usd_per_session: null } },
    ],
    kill_switches: [{ kill_switch_id, decisions: 1 }],
    switch_rows: [{ kind: "kill_switch", row: { kill_switch_id } }],
    indexed: { complete: true },
  });
  expect(session.body["rows"]).toHaveLength(4);
  expect((await send("GET", `${url}/api/v1/sessions/agent-1/unknown`)).status).toBe(404);
  expect((await send("GET", `${url}/api/v1/sessions/agent-2/s-1`)).status).toBe(404);
});
