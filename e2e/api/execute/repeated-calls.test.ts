// peers: postgres
import { freshDatabase } from "@svc/store/testing/shared-postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { missing } from "../../support/processes/missing-peers.ts";
import { type Answer, createPolicy, execute, send } from "../../support/server/api.ts";
import { checkedExport } from "../../support/server/audit-export.ts";
import { type ServerProcess, startServer } from "../../support/server/server-process.ts";

const MAX_STEPS = 3;

const STEPS = `id: steps
agent_id: steps-agent
tools: { allowed: ['*'] }
session: { max_steps: ${String(MAX_STEPS)} }
`;
const COSTS = `id: costs
agent_id: costs-agent
tools: { allowed: ['*'] }
cost: { max_usd_per_session: 10 }
`;

let sessions = 0;
const ownSession = (): string => `session-${String((sessions += 1))}`;

describe.each([
  { store: "SQLite", leftOut: null },
  { store: "PostgreSQL", leftOut: missing.postgres },
])("on $store", ({ store, leftOut }) => {
  let server: ServerProcess;

  beforeAll(async () => {
    if (leftOut) return;
    const env = store === "PostgreSQL" ? { SVC_DATABASE_URL: await freshDatabase() } : {};
    server = await startServer({ env, callers: "adapter" });
    for (const policy of [STEPS, COSTS]) expect((await createPolicy(server.url, policy)).status).toBe(201);
  });
  afterAll(async () => {
    await server?.stop();
  });
  beforeEach(({ skip }) => skip(leftOut !== null, leftOut ?? ""));

  const report = (answer: Answer, status: string, known: Record<string, unknown> = {}): Promise<Answer> =>
    send("POST", `${server.url}/api/v1/gateway/outcome`, {
      body: { decision_id: answer.body["decision_id"], status, ...known },
    });

  // proves EXEC-24
  it("a call that is repeated after each failure to run it is charged for each run", async () => {
    const known = { agent_id: "steps-agent", session_id: ownSession() };
    const key = { "idempotency-key": `loop-${store}-0001` };
    const ids = new Set<unknown>();
    for (let round = 0; round < 10; round += 1) {
      const answer = await execute(server.url, known, key);
      expect(answer.body).toMatchObject({ decision: "allow" });
      ids.add(answer.body["decision_id"]);
      expect((await report(answer, "not_executed")).status).toBe(200);
    }
    expect(ids.size).toBe(10);
    const running = await execute(server.url, known, key);
    expect((await report(running, "succeeded")).status).toBe(200);
    const others = [];
    for (let step = 0; step < MAX_STEPS; step += 1) others.push(await execute(server.url, known));
    expect(others.map(({ body }) => body["decision"])).toEqual(["allow", "allow", "deny"]);
  });

  // proves EXEC-24, EXEC-25
  it("repeats and an outcome at once: no caller gets a decision whose charge was given back", async () => {
    for (let round = 0; round < 10; round += 1) {
      const known = { agent_id: "steps-agent", session_id: ownSession() };
      const key = { "idempotency-key": `race-${store}-${String(1_000 + round)}` };
      const first = await execute(server.url, known, key);
      const reported = report(first, "not_executed");
      const repeats = Array.from({ length: 20 }, () => execute(server.url, known, key));
      expect((await reported).status).toBe(200);
      const after = await execute(server.url, known, key);
      const given = (await Promise.all(repeats)).filter(({ body }) => body["repeated"] !== true);
      expect(after.body["decision_id"]).not.toBe(first.body["decision_id"]);
      expect(given.length).toBeLessThanOrEqual(1);
    }
  });

  // proves EXEC-18
  it("one of several reports counts: 50 equal ones return one step, one of three kinds wins", async () => {
    const known = { agent_id: "costs-agent", session_id: ownSession() };
    await execute(server.url, { ...known, cost_usd: "4" });
    const second = await execute(server.url, { ...known, cost_usd: "4" });
    const alike = await Promise.all(Array.from({ length: 50 }, () => report(second, "not_executed")));
    expect(new Set(alike.map(({ status }) => status))).toEqual(new Set([200]));
    // 4 of 10 USD are used: had the refund counted twice, the session would hold more than 6.
    expect((await execute(server.url, { ...known, cost_usd: "6.1" })).body).toMatchObject({
      decision: "deny",
    });
    expect((await execute(server.url, { ...known, cost_usd: "6" })).body).toMatchObject({
      decision: "allow",
    });
    for (let race = 0; race < 30; race += 1) {
      const answer = await execute(server.url, { agent_id: "costs-agent", session_id: ownSession() });
      const statuses = ["succeeded", "failed", "not_executed"];
      const answers = await Promise.all(statuses.map((status) => report(answer, status)));
      const won = answers.filter(({ status }) => status === 200);
      expect([won.length, answers.filter(({ status }) => status === 409).length]).toEqual([1, 2]);
    }
  });

  // proves EXEC-29
  it("finds and charges the outcome of a call with large arguments", async () => {
    const known = { agent_id: "costs-agent", session_id: ownSession() };
    const answer = await execute(server.url, { ...known, args: { text: "x".repeat(261_900) } });
    expect(answer.body).toMatchObject({ decision: "allow" });
    expect((await report(answer, "succeeded", { cost_usd: "50" })).status).toBe(200);
    const next = await execute(server.url, known);
    expect(next.body).toMatchObject({ decision: "deny", reason_code: "max_cost" });
    expect((await checkedExport(server.url)).length).toBeGreaterThan(0);
  });

  // proves EXEC-30
  it("refuses arguments that a row cannot hold, without a row", async () => {
    const body = `{"agent_id":"costs-agent","tool":"t","args":{"n":[${"1e15,".repeat(52_000)}1]}}`;
    const before = (await checkedExport(server.url)).length;
    const answer = await send("POST", `${server.url}/api/v1/gateway/execute`, { body });
    expect(answer).toMatchObject({ status: 413, body: { code: "body_too_large" } });
    expect((await checkedExport(server.url)).length).toBe(before);
  });
});
