// long: it starts a PostgreSQL
// peers: postgres
import { describe, expect, it } from "vitest";
import { missing } from "../../support/processes/missing-peers.ts";
import { callOf } from "../../support/server/api.ts";
import { BOOTSTRAP_ENV, clientOf, issueKey, operatorOf } from "../../support/server/api-keys.ts";
import { type ServerOptions, serverOfTest } from "../../support/server/server-process.ts";
import { sharedDirectory, sharedPostgres } from "../../support/server/shared-store.ts";

const POLICY = `id: refunds
agent_id: refund-bot
tools: { allowed: ['payments.refund'] }
rules:
  - id: large-refund
    match: { tool: payments.refund, condition: { field: args.amount, operator: '>', value: 500 } }
    action: deny
`;

const CALLS = [
  { session_id: "s-1", args: { amount: 20 }, cost_usd: 0.5 },
  { session_id: "s-2", args: { amount: 30 }, cost_usd: 0.25 },
  { session_id: "s-2", args: { amount: 900 } },
];

/** One agent with three calls, of which one is denied, and one with a single denied call. */
async function wildAgent({ env = {}, ...options }: ServerOptions): Promise<void> {
  const server = await serverOfTest({ ...options, env: { ...env, ...BOOTSTRAP_ENV } });
  const operator = operatorOf(server);
  expect((await operator("POST", "policies", { yaml: POLICY })).status).toBe(201);
  const call = async (json: object) =>
    expect((await operator("POST", "gateway/execute", { json })).status).toBe(200);
  for (const known of CALLS)
    await call(callOf({ agent_id: "refund-bot", tool: "payments.refund", ...known }));
  await call(callOf({ agent_id: "lost-bot" }));
  const auditor = clientOf(server, (await issueKey(operator, { role: "auditor" })).key);
  const top = await auditor("GET", "agents/top");
  expect(top).toMatchObject({
    status: 200,
    body: {
      agents: [
        { agent_id: "refund-bot", calls: 3, deny: 1, pause: 0, cost_usd: "0.75", sessions: 2 },
        { agent_id: "lost-bot", calls: 1, deny: 1, before: { calls: 0, sessions: 0 } },
      ],
      callers: 2,
      counted_all: true,
      indexed: { complete: true },
    },
  });
  const { body } = await auditor("GET", "agents/refund-bot/activity");
  expect(body).toMatchObject({
    deny: 1,
    allow: 2,
    tools: [{ tool: "payments.refund", allow: 2, deny: 1 }],
    sessions: [
      { session_id: "s-2", allow: 1, deny: 1 },
      { session_id: "s-1", allow: 1, deny: 0 },
    ],
    verdicts: [
      { decision: "allow", calls: 2, rule_id: null },
      { decision: "deny", calls: 1, rule_id: "large-refund" },
    ],
    arguments: [
      { argument: "amount", decision: "allow", values: 2, sum: 50, min: 20, max: 30 },
      { argument: "amount", decision: "deny", values: 1, sum: 900 },
    ],
    samples: [
      { session_id: "s-2", decision: "deny", args: { amount: 900 } },
      { session_id: "s-2", decision: "allow", args: { amount: 30 } },
      { session_id: "s-1", decision: "allow", args: { amount: 20 } },
    ],
    read_calls: 3,
    counted_all: true,
  });
  expect((await auditor("GET", "agents/nobody/activity")).status).toBe(404);
  expect((await auditor("GET", "agents/top?since=2026-01-01T00:00:00Z")).status).toBe(400);
  const author = clientOf(server, (await issueKey(operator, { role: "policy_author" })).key);
  for (const path of ["agents/top", "agents/refund-bot/activity"])
    expect((await author("GET", path)).status).toBe(403);
}

describe("SQLite", () => {
  // proves AGT-30, AGT-31, AGT-32
  it("shows an auditor which agent calls most, and what it does", async () =>
    wildAgent((await sharedDirectory()).before));
});

// skip: the machine has no PostgreSQL; continuous integration has one.
describe.skipIf(missing.postgres !== null)("PostgreSQL", () => {
  // proves AGT-30, AGT-31, AGT-32
  it("shows an auditor which agent calls most, and what it does", async () =>
    wildAgent((await sharedPostgres()).before));
});
