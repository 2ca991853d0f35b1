// peers: postgres
// alone: calls must reach a ceiling at the same time
import { freshDatabase } from "@svc/store/testing/shared-postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { missing } from "../../support/processes/missing-peers.ts";
import { type Answer, createPolicy, execute, send } from "../../support/server/api.ts";
import { allowedIds, checkedExport, withoutRow } from "../../support/server/audit-export.ts";
import { type ServerProcess, startServer } from "../../support/server/server-process.ts";

const PARALLEL_CALLS = 1_000;
const MAX_STEPS = 100;
const ROUNDS = 3;

const CEILINGS = `id: steps
agent_id: steps-agent
tools: { allowed: ['*'] }
session: { max_steps: ${String(MAX_STEPS)} }
`;
const COSTS = `id: costs
agent_id: costs-agent
tools: { allowed: ['*'] }
cost: { max_usd_per_session: 1 }
`;
const SECOND = CEILINGS.replace("id: steps", "id: second").replace("steps-agent", "second-agent");

const reasonsOf = (answers: readonly Answer[]): readonly unknown[] => [
  ...new Set(
    answers.filter(({ body }) => body["decision"] !== "allow").map(({ body }) => body["reason_code"]),
  ),
];

describe.each([
  { store: "SQLite", leftOut: null },
  { store: "PostgreSQL", leftOut: missing.postgres },
])("on $store", ({ store, leftOut }) => {
  let server: ServerProcess;

  beforeAll(async () => {
    if (leftOut) return;
    const env = store === "PostgreSQL" ? { SVC_DATABASE_URL: await freshDatabase() } : {};
    server = await startServer({ env, callers: "adapter" });
    for (const policy of [CEILINGS, COSTS, SECOND]) {
      expect((await createPolicy(server.url, policy)).status).toBe(201);
    }
  });
  afterAll(async () => {
    await server?.stop();
  });
  beforeEach(({ skip }) => skip(leftOut !== null, leftOut ?? ""));

  const inParallel = (count: number, known: Record<string, unknown>): Promise<readonly Answer[]> =>
    Promise.all(Array.from({ length: count }, () => execute(server.url, known)));

  // proves POL-12, AUD-01
  it("E16, I2, I4: of 1,000 calls at once exactly max_steps are allowed, each with a row", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const session = `race-${String(round)}`;
      const answers = await inParallel(PARALLEL_CALLS, { agent_id: "steps-agent", session_id: session });
      const allowed = allowedIds(answers);
      expect(allowed).toHaveLength(MAX_STEPS);
      expect(reasonsOf(answers)).toEqual(["max_steps"]);
      const rows = await checkedExport(server.url);
      expect(withoutRow(allowed, rows)).toEqual([]);
      const ofSession = rows.filter(({ row }) => row["session_id"] === session && row["steps"] === 1);
      expect(ofSession).toHaveLength(MAX_STEPS);
    }
  });

  // proves POL-13
  it.each([
    { cost_usd: "0.01", allowed: 100 },
    { cost_usd: 0.3, allowed: 3 },
    { cost_usd: "0.000003", allowed: 500 },
    { cost_usd: "1.000001", allowed: 0 },
    { cost_usd: "1", allowed: 1 },
  ])("E16, E17, I4: the cost ceiling holds to the micro-dollar: $cost_usd at once", async (sample) => {
    const known = {
      agent_id: "costs-agent",
      session_id: `cost-${String(sample.cost_usd)}`,
      cost_usd: sample.cost_usd,
    };
    const answers = await inParallel(500, known);
    expect(allowedIds(answers)).toHaveLength(sample.allowed);
    expect(reasonsOf(answers)).toEqual(sample.allowed === 500 ? [] : ["max_cost"]);
  });

  // proves EXEC-18
  it("a call that was not executed returns its step, once", async () => {
    const known = { agent_id: "steps-agent", session_id: "given-back" };
    const allowed = allowedIds(await inParallel(MAX_STEPS + 20, known));
    expect(allowed).toHaveLength(MAX_STEPS);
    const report = { decision_id: allowed[0], status: "not_executed" };
    for (let repeated = 0; repeated < 3; repeated += 1) {
      const reported = await send("POST", `${server.url}/v1/gateway/outcome`, { body: report });
      expect(reported.status).toBe(200);
    }
    expect(allowedIds(await inParallel(20, known))).toHaveLength(1);
    const other = { ...report, status: "succeeded" };
    expect((await send("POST", `${server.url}/v1/gateway/outcome`, { body: other })).status).toBe(409);
  });

  it("E17: the unused part of a reservation is available again, and nothing more", async () => {
    const known = { agent_id: "costs-agent", session_id: "settled", cost_usd: "0.50" };
    const { body } = await execute(server.url, known);
    const settle = { decision_id: body["decision_id"], status: "succeeded", cost_usd: "0.10" };
    expect((await send("POST", `${server.url}/v1/gateway/outcome`, { body: settle })).status).toBe(200);
    const answers = [await execute(server.url, known), await execute(server.url, known)];
    expect(answers.map((answer) => answer.body["decision"])).toEqual(["allow", "deny"]);
  });

  // proves POL-16
  it("E13: the same session id of another agent has a budget of its own", async () => {
    const session_id = "shared";
    const [first, second] = await Promise.all([
      inParallel(MAX_STEPS + 50, { agent_id: "steps-agent", session_id }),
      inParallel(MAX_STEPS + 50, { agent_id: "second-agent", session_id }),
    ]);
    expect([allowedIds(first).length, allowedIds(second).length]).toEqual([MAX_STEPS, MAX_STEPS]);
  });

  // proves POL-15
  it.each(["steps-agent", "costs-agent"])("E15: %s without a session is denied", async (agent_id) => {
    const { body } = await execute(server.url, { agent_id, session_id: undefined });
    expect(body).toMatchObject({ decision: "deny", reason_code: "session_required" });
  });

  // proves EXEC-16
  it("E18: a call that is repeated 100 times with its key counts once; another body gets a 409", async () => {
    const known = { agent_id: "steps-agent", session_id: "repeated" };
    const key = { "idempotency-key": `repeat-${String(server.port)}-000001` };
    const answers = await Promise.all(Array.from({ length: 100 }, () => execute(server.url, known, key)));
    expect(new Set(allowedIds(answers)).size).toBe(1);
    expect(allowedIds(answers)).toHaveLength(100);
    expect((await execute(server.url, { ...known, args: { amount: 11 } }, key)).status).toBe(409);
    expect(allowedIds(await inParallel(MAX_STEPS + 10, known))).toHaveLength(MAX_STEPS - 1);
  });
});
