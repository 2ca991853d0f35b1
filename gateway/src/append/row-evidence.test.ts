import { readTraceParent } from "@svc/contract/trace-parent";
import { beforeEach, describe, expect, it } from "vitest";
import { execute } from "../execute.ts";
import { call, received, type TestGateway, testGateway } from "../testing/test-gateway.ts";

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await testGateway();
});

async function governed(source: string): Promise<void> {
  gateway.feed.putPolicy("p", source, { agent_id: "a-1" });
  await gateway.follower.catchUp();
}

const CALL = { agent_id: "a-1", session_id: "s-1", tool: "db.read", args: {} };

const lastRow = async (known: Parameters<TestGateway["execute"]>[0]) => {
  await gateway.execute(known);
  return gateway.rows().at(-1) ?? {};
};

describe("what a row keeps so that its decision can be made again", () => {
  // proves EXP-09
  it("is nothing for a call that names no cost under a policy without a ceiling", async () => {
    await governed("id: p\nagent_id: a-1\ntools: {allowed: ['*']}\n");
    const row = await lastRow(CALL);
    expect(row["decision"]).toBe("allow");
    for (const name of ["requested_cost", "session_usage", "evaluated_at"])
      expect(row).not.toHaveProperty(name);
  });

  // proves EXP-09
  it("is the cost that the caller named, and whether it stands below the price", async () => {
    await governed("id: p\nagent_id: a-1\ntools: {allowed: ['*']}\ncost: {tool_prices: {'*': 0.5}}\n");
    const row = await lastRow({ ...CALL, cost_micro_usd: 20_000 });
    expect(row["requested_cost"]).toMatchObject({ usd: "0.02" });
  });

  it("is the trace that the caller named", async () => {
    await governed("id: p\nagent_id: a-1\ntools: {allowed: ['*']}\n");
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const trace = readTraceParent(`00-${traceId}-00f067aa0ba902b7-01`);
    await execute(gateway.parts, { ...received(call(CALL)), trace });
    expect(gateway.rows().at(-1)).toMatchObject({ decision: "allow", trace_id: traceId });
    expect(await lastRow(CALL)).not.toHaveProperty("trace_id");
  });

  // proves EXP-09
  it("is the usage that a condition read, for every decision", async () => {
    await governed(`id: p
agent_id: a-1
tools: {allowed: ['*']}
rules:
  - {id: two, match: {condition: {field: session.steps, operator: ">=", value: 1}}, action: deny}
`);
    expect(await lastRow(CALL)).toMatchObject({ session_usage: { steps: 0, cost_usd: "0" } });
    const denied = await lastRow(CALL);
    expect(denied).toMatchObject({ decision: "deny", session_usage: { steps: 1, cost_usd: "0" } });
  });

  // proves EXP-09, POL-74
  it("is the time by which a rule decided", async () => {
    await governed(`id: p
agent_id: a-1
tools: {allowed: ['*']}
rules:
  - id: later
    match: {condition: {field: time, operator: within, value: {after: "2100-01-01T00:00:00Z"}}}
    action: deny
`);
    const row = await lastRow(CALL);
    expect(row["decision"]).toBe("allow");
    expect(Date.parse(String(row["evaluated_at"]))).toBeLessThanOrEqual(Date.parse(String(row["time"])));
  });

  // proves EXP-09
  it.each(["enforcement", "shadow"])("is the usage that a reached ceiling found in %s", async (mode) => {
    await governed(`id: p
agent_id: a-1
governance_mode: ${mode}
tools: {allowed: ['*']}
session: {max_steps: 1}
`);
    expect(await lastRow(CALL)).not.toHaveProperty("session_usage");
    expect(await lastRow(CALL)).toMatchObject({ session_usage: { steps: 1, cost_usd: "0" } });
  });
});
