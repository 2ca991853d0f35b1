// peers: python3
import { describe, expect, it } from "vitest";
import { missing } from "../support/processes/missing-peers.ts";
import { BOOTSTRAP_ENV, clientOf, issueKey, operatorOf } from "../support/server/api-keys.ts";
import { checkedExport } from "../support/server/audit-export.ts";
import { BOOTSTRAP_KEY } from "../support/server/role-keys.ts";
import { serverOfTest } from "../support/server/server-process.ts";
import { SHOP_RULES } from "../support/server/shop-policy.ts";
import { startPythonAgent } from "./python-agent.ts";

/** Milliseconds that a test may take on a busy machine, where starting Python takes a second. */
const TIMEOUT_MS = 60_000;

/** Denies, asks and rewrites by what stands in the arguments. */
const SHOP = `id: shop
agent_id: agent-1
tools: { allowed: ['payments.*', 'mail.*'] }
${SHOP_RULES}`;

const RUNNER = `id: runner
agent_id: runner
session: { max_steps: 3 }
tools: { allowed: ['payments.*'] }
`;

const BY_RULE = { denied: { reason_code: "rule", rule_id: "big", fail_closed: false }, ran: [] };

async function stage() {
  const server = await serverOfTest({ env: BOOTSTRAP_ENV });
  const operator = operatorOf(server);
  for (const yaml of [SHOP, RUNNER]) expect((await operator("POST", "policies", { yaml })).status).toBe(201);
  const agent = startPythonAgent(server.url, (await issueKey(operator)).key);
  const rows = () => checkedExport(server.url, { authorization: `Bearer ${BOOTSTRAP_KEY}` });
  return { server, operator, agent, rows };
}

// skip: the peer is not installed; continuous integration has it and fails without.
describe.skipIf(missing.python3)("a Python agent at a real gateway", { timeout: TIMEOUT_MS }, () => {
  // proves LIB-01, LIB-02, LIB-05
  it.each(["refund", "refund_later"])(
    "runs %s as the policy says, with the arguments that it leaves",
    async (fn) => {
      const { agent, rows } = await stage();
      const sent = { order: "o-1", amount: 5 };
      const allowed = { result: { ...sent, card: null }, ran: [fn] };
      expect(await agent.ask(fn, sent)).toEqual(allowed);
      expect(await agent.ask(fn, { ...sent, amount: 501 })).toMatchObject(BY_RULE);
      const shaped = await agent.ask(fn, { ...sent, card: "4111111111111234" });
      expect(shaped).toEqual({ result: { ...sent, card: expect.stringMatching(/^[^1]+1234$/) }, ran: [fn] });
      await agent.end();
      const outcomes = (await rows()).filter(({ row }) => row["kind"] === "outcome");
      expect(outcomes.map(({ row }) => row["status"])).toEqual(["succeeded", "succeeded"]);
    },
  );

  // proves LIB-04, LIB-07
  it("asks about calls that are not functions, with both clients", async () => {
    const { agent } = await stage();
    const small = { tool: "payments.refund", args: { amount: 5 } };
    const big = { tool: "payments.refund", args: { amount: 501 } };
    for (const [what, who] of [
      ["execute", { agent_id: "agent-1", session_id: "s-1" }],
      ["execute_async", { session: "s-1" }],
    ] as const) {
      expect(await agent.ask(what, { ...small, ...who })).toEqual({ result: { amount: 5 }, ran: [] });
      expect(await agent.ask(what, { ...big, ...who })).toMatchObject(BY_RULE);
    }
  });

  // proves LIB-06
  it("is paused with the address of the approval, and goes on once a person has approved", async () => {
    const { server, operator, agent } = await stage();
    const send = () => agent.ask("call", { tool: "mail.send", args: { to: "a@b.example" } });
    const paused = await send();
    expect(paused).toMatchObject({ paused: expect.stringContaining("/approvals/"), ran: [] });
    const approver = clientOf(server, (await issueKey(operator, { role: "approver" })).key);
    const path = `approvals/${String(paused.approval_id)}/approve`;
    expect((await approver("POST", path, { json: { reason: "asked for" } })).status).toBe(200);
    expect(await send()).toEqual({ result: { to: "a@b.example" }, ran: ["mail.send"] });
    expect(await send()).toMatchObject({ paused: expect.stringContaining("/approvals/"), ran: [] });
  });

  // proves LIB-03
  it("has a session for each run, whose steps the gateway counts", async () => {
    const { agent, rows } = await stage();
    const first = await agent.ask("run", { calls: 5 });
    expect(first).toMatchObject({ result: { steps: 3, denied: "max_steps" }, ran: ["step", "step", "step"] });
    expect(await agent.ask("run", { calls: 2 })).toMatchObject({ result: { steps: 2 } });
    await agent.end();
    const { session } = first.result as { readonly session: string };
    const allows = (await rows()).filter(
      ({ row }) => row["session_id"] === session && row["decision"] === "allow",
    );
    expect(allows).toHaveLength(3);
  });

  // proves LIB-08
  it("runs nothing after the gateway is killed", async () => {
    const { server, agent } = await stage();
    const call = { order: "o-1", amount: 5 };
    expect(await agent.ask("refund", call)).toMatchObject({ ran: ["refund"] });
    await server.stop("SIGKILL");
    for (const fn of ["refund", "refund_later"]) {
      const denied = { reason_code: "gateway_unreachable", rule_id: null, fail_closed: true };
      expect(await agent.ask(fn, call)).toMatchObject({ denied, ran: [] });
    }
  });
});
