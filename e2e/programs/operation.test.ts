import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPolicy, execute, PAYMENTS_POLICY, send } from "../support/server/api.ts";
import { checkedExport } from "../support/server/audit-export.ts";
import { keyIdOf, makeKeys } from "../support/server/role-keys.ts";
import { type ServerProcess, startServer } from "../support/server/server-process.ts";

const METRICS = [
  "svc_decisions_total",
  "svc_execute_duration_seconds",
  "svc_ledger_commit_duration_seconds",
  "svc_control_state_age_seconds",
];

const POLICY = `${PAYMENTS_POLICY}session: { max_steps: 1000 }
cost: { max_usd_per_session: 100 }
rules:
  - { id: ask, priority: 1, match: { tool: payments.wire }, action: require_approval }
`;

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer();
  expect((await createPolicy(server.url, POLICY)).status).toBe(201);
  await makeKeys(server.url);
});
afterAll(() => server.stop());

// proves EXEC-01
it.each([
  { tool: "payments.refund", decision: "allow" },
  { tool: "payments.wire", decision: "pause" },
  { tool: "db.drop", decision: "deny" },
])("answers $tool with $decision, and puts it on record", async ({ tool, decision }) => {
  const { status, body } = await execute(server.url, { tool });
  expect([status, body["decision"]]).toEqual([200, decision]);
  expect((await checkedExport(server.url)).at(-1)?.row).toMatchObject({ tool, decision });
});

// proves EXEC-11, AUD-01, AUD-03
it("records for each call who asked for what, and why it was decided so", async () => {
  const call = { namespace: "default", args: { amount: 10, note: "x" }, cost_usd: "0.25" };
  const { status, body } = await execute(server.url, call);
  expect(status).toBe(200);
  expect(body).toEqual({
    decision: "allow",
    decision_id: expect.any(String),
    policy_id: "refunds",
    policy_version: 1,
    mode: "enforcement",
    args_constrained: false,
  });
  const rows = await checkedExport(server.url);
  const row = rows.find(({ logId, seq }) => `${logId}.${String(seq)}` === body["decision_id"]);
  expect(row?.row).toMatchObject({
    kind: "decision",
    org: "default",
    principal: await keyIdOf("agent", server.url),
    namespace: "default",
    agent_id: "agent-1",
    session_id: "s-1",
    tool: "payments.refund",
    args: { amount: 10, note: "x" },
    decision: "allow",
    mode: "enforcement",
    policy_id: "refunds",
    policy_version: 1,
    cost_usd: expect.stringMatching(/^0\.250*$/),
    steps: 1,
    fail_closed: false,
  });
});

// proves AUD-15, AUD-08
it("shows its signed checkpoints, page by page, and the key that they are verified with", async () => {
  await execute(server.url);
  await checkedExport(server.url);
  await execute(server.url);
  await checkedExport(server.url);
  const first = await send("GET", `${server.url}/v1/audit/checkpoints?limit=1`);
  expect(first.body["checkpoints"]).toMatchObject([{ log_id: expect.any(String), size: expect.any(Number) }]);
  const cursor = String(first.body["next_cursor"]);
  const second = await send("GET", `${server.url}/v1/audit/checkpoints?limit=1&cursor=${cursor}`);
  const notes = [first, second].flatMap(
    ({ body }) => body["checkpoints"] as { size: number; note: string }[],
  );
  expect(notes[1]?.size).toBeGreaterThan(notes[0]?.size ?? Number.POSITIVE_INFINITY);
  const { body } = await send("GET", `${server.url}/api/v1/audit/public-key`);
  const [key = ""] = body["keys"] as string[];
  expect(key).toMatch(/^svc-audit\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*$/);
  for (const { note } of notes) expect(note).toContain("— svc-audit ");
});

// proves OPS-07
it("counts its decisions in its metrics", async () => {
  const metrics = async (): Promise<string> => (await fetch(`${server.url}/metrics`)).text();
  const before = await metrics();
  const names = [...before.matchAll(/^# TYPE (svc_\w+)/gm)].map(([, name]) => name);
  expect(names).toEqual(expect.arrayContaining(METRICS));
  await execute(server.url);
  expect(decisionsIn(await metrics())).toBe(decisionsIn(before) + 1);
});

function decisionsIn(metrics: string): number {
  const lines = metrics.split("\n").filter((line) => /^svc_\w*decisions_total\b/.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

// proves OPS-10
describe("no other user of the machine may read", () => {
  it.each([
    ["", 0o700],
    ["signing-key.pem", 0o600],
    ["checkpoints.ndjson", 0o600],
    ["gateway-id", 0o600],
  ])("the data directory: %s", async (name, mode) => {
    await checkedExport(server.url);
    expect((await stat(join(server.dataDir, name))).mode & 0o777).toBe(mode);
  });
});
