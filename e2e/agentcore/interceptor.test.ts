// long: it starts the interceptor and a gateway for each case
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type SimulatedGateway, startSimulatedGateway } from "../support/adapters/agentcore-gateway.ts";
import { type RunningCheckgw, startCheckgw } from "../support/adapters/checkgw-process.ts";
import { type LambdaFunction, startLambdaFunction } from "../support/adapters/lambda-function.ts";
import { startRecordingServer } from "../support/adapters/recording-server.ts";
import { createPolicy, send } from "../support/server/api.ts";
import { checkedExport } from "../support/server/audit-export.ts";
import { activateEnforced } from "../support/server/kill-switches.ts";
import { type ServerProcess, startServer } from "../support/server/server-process.ts";

const POLICY = `id: targets
agent_id: agent-1
tools: { allowed: [payments.*, mail.send], denied: [payments.delete] }
rules:
  - {id: card, match: {tool: mail.send}, action: redact, redact: {fields: [args.card], mask: last4}}
  - id: cap
    match: {tool: payments.pay}
    action: constrain
    constrain: {max: {args.amount: 100}, set: {args.currency: EUR}, remove: [args.note]}
  - {id: ask, match: {tool: payments.refund}, action: require_approval}
`;

/** The function's own deadline and, shorter, that of the adapter behind it, in milliseconds. */
const FUNCTION_TIMEOUT_MS = 1_500;
const ADAPTER_TIMEOUT_MS = 500;
function call(name: string, args: object, id: string | number = 7): Record<string, unknown> {
  const params = { name, arguments: args, _meta: { "svc/sessionId": "session-1" } };
  return { jsonrpc: "2.0", id, method: "tools/call", params };
}

interface Stage {
  readonly gateway: SimulatedGateway;
  readonly checkgw: RunningCheckgw;
  readonly lambda: LambdaFunction;
}

/** A simulated gateway, its function, and the adapter that this asks, before a gateway of ours. */
async function startStage(gatewayUrl: string, env: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const checkgw = await startCheckgw(gatewayUrl, { SVC_DECISION_TIMEOUT_MS: String(ADAPTER_TIMEOUT_MS) });
  const lambda = await startLambdaFunction({
    env: {
      SVC_AGENTCORE_CHECKGW_URL: `http://127.0.0.1:${String(checkgw.port)}`,
      SVC_AGENT_ID: "agent-1",
      SVC_DECISION_TIMEOUT_MS: String(FUNCTION_TIMEOUT_MS),
      ...env,
    },
  });
  return { gateway: await startSimulatedGateway({ interceptor: lambda }), checkgw, lambda };
}

async function stopStage({ gateway, checkgw, lambda }: Stage): Promise<void> {
  await gateway.close();
  await lambda.stop();
  await checkgw.stop("SIGKILL");
}

describe("an AgentCore gateway, the interceptor, svc-checkgw and svc-server", () => {
  let server: ServerProcess;
  let stage: Stage;
  beforeAll(async () => {
    server = await startServer();
    expect((await createPolicy(server.url, POLICY)).status).toBe(201);
    stage = await startStage(server.url);
  });
  afterAll(async () => {
    await stopStage(stage);
    await server.stop("SIGKILL");
  });

  // proves AGC-01, AGC-02
  it("an allow reaches the target as it was sent", async () => {
    const before = stage.gateway.targetSaw().length;
    const message = call("payments___charge", { amount: 12, deep: [{ a: null }] });
    expect(await stage.gateway.send(message)).toMatchObject({ status: 200, body: { id: 7, result: {} } });
    expect(stage.gateway.targetSaw().slice(before)).toEqual([message]);
  });

  // proves AGC-02
  it.each([
    {
      message: call("mail___send", { to: "a@b.example", card: "4111111111111111" }, "mail"),
      shaped: { to: "a@b.example", card: "****1111" },
    },
    {
      message: call("payments___pay", { amount: 900, note: "x" }, 0),
      shaped: { amount: 100, currency: "EUR" },
    },
  ])("a rewrite reaches the target as the policy shaped it: $message.id", async ({ message, shaped }) => {
    const before = stage.gateway.targetSaw().length;
    expect(await stage.gateway.send(message)).toMatchObject({ status: 200, body: { id: message["id"] } });
    const params = { ...(message["params"] as object), arguments: shaped };
    expect(stage.gateway.targetSaw().slice(before)).toEqual([{ ...message, params }]);
  });

  // proves AGC-03
  it.each([
    { name: "payments___delete", code: 403_001, data: { decision: "deny", reason_code: "tool_denied" } },
    { name: "db___drop", code: 403_001, data: { decision: "deny", reason_code: "not_allowed" } },
    {
      name: "payments___refund",
      code: 202_001,
      data: { decision: "pause", rule_id: "ask", approval_url: expect.stringContaining("http") },
    },
    { name: "payments__charge", code: 503_001, data: { reason_code: "request_malformed" } },
  ])("$name is answered in the target's place with $code", async ({ name, code, data }) => {
    const before = stage.gateway.targetSaw().length;
    const answer = await stage.gateway.send(call(name, { amount: 1 }, "id-1"));
    expect(answer).toMatchObject({
      status: 200,
      body: { jsonrpc: "2.0", id: "id-1", error: { code, data } },
    });
    expect(stage.gateway.targetSaw().slice(before)).toEqual([]);
  });

  it("every verdict is on record, with the session", async () => {
    const rows = (await checkedExport(server.url)).map(({ row }) => row);
    const decisions = rows.filter(({ kind }) => kind === "decision");
    expect(decisions.map((row) => `${String(row["tool"])} ${String(row["decision"])}`)).toEqual([
      "payments.charge allow",
      "mail.send allow",
      "payments.pay allow",
      "payments.delete deny",
      "db.drop deny",
      "payments.refund pause",
    ]);
    expect(new Set(decisions.map((row) => row["session_id"]))).toEqual(new Set(["session-1"]));
  });

  // proves APR-60, APR-61
  it("a call that was approved with other arguments reaches the target once, with those", async () => {
    const before = stage.gateway.targetSaw().length;
    const ask = async (id: number) =>
      (await stage.gateway.send(call("payments___refund", { amount: 900 }, id))).body;
    const { error } = (await ask(1)) as { error?: { data: { approval_url: string } } };
    const id = new URL(error?.data.approval_url ?? "").pathname.split("/").at(-1) ?? "";
    const body = { reason: "the customer called", args: { amount: 500 } };
    const url = `${server.url}/api/v1/approvals/${id}/approve`;
    expect((await send("POST", url, { body })).body).toMatchObject({ status: "approved" });
    expect(await ask(2)).toMatchObject({ id: 2, result: {} });
    expect(await ask(3)).toMatchObject({ id: 3, error: { code: 202_001 } });
    const reached = call("payments___refund", { amount: 500 }, 2);
    expect(stage.gateway.targetSaw().slice(before)).toEqual([reached]);
  });

  // proves AGC-04
  it("handshake and lists pass without a question", async () => {
    const before = stage.gateway.targetSaw().length;
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    await stage.gateway.send(message);
    expect(stage.gateway.targetSaw().slice(before)).toEqual([message]);
  });

  it("I5: a kill switch stops the very next call", async () => {
    await activateEnforced(server.url, { scope: "tool", target_id: "payments.charge" });
    const before = stage.gateway.targetSaw().length;
    const answer = await stage.gateway.send(call("payments___charge", { amount: 12 }));
    expect(answer.body).toMatchObject({ error: { code: 403_001, data: { reason_code: "kill_switch" } } });
    expect(stage.gateway.targetSaw().slice(before)).toEqual([]);
  });
});

describe("I10: when something behind the interceptor fails, the target gets nothing", () => {
  const ALLOW = JSON.stringify({ decision: "allow", decision_id: "g.1", args_constrained: false });

  async function refusedCall({ gateway }: Stage): Promise<unknown> {
    const answer = await gateway.send(call("payments___charge", { amount: 12 }));
    expect(answer).toMatchObject({ status: 200, body: { id: 7, error: { code: 503_001 } } });
    expect(gateway.targetSaw()).toEqual([]);
    const { error } = answer.body as { error: { data: { reason_code: unknown } } };
    return error.data.reason_code;
  }

  async function stageOfTest(gatewayUrl: string, env?: Readonly<Record<string, string>>): Promise<Stage> {
    const stage = await startStage(gatewayUrl, env);
    onTestFinished(() => stopStage(stage));
    return stage;
  }

  // proves AGC-03
  it("the gateway is down, then silent, then back", async () => {
    const upstream = await startRecordingServer(() => {});
    onTestFinished(() => upstream.close());
    const stage = await stageOfTest(`http://127.0.0.1:${String(upstream.port)}`);
    expect(await refusedCall(stage)).toBe("decision_timeout");
    await upstream.close();
    expect(await refusedCall(stage)).toBe("gateway_unreachable");
    await upstream.reopen();
    upstream.respondWith((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(ALLOW);
    });
    await stage.gateway.send(call("payments___charge", { amount: 12 }));
    expect(stage.gateway.targetSaw()).toHaveLength(1);
  });

  it("svc-checkgw is down, and stopped but connected", async () => {
    const upstream = await startRecordingServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(ALLOW);
    });
    onTestFinished(() => upstream.close());
    const stage = await stageOfTest(`http://127.0.0.1:${String(upstream.port)}`);
    stage.checkgw.signal("SIGSTOP");
    expect(await refusedCall(stage)).toBe("decision_timeout");
    stage.checkgw.signal("SIGCONT");
    await stage.checkgw.stop("SIGKILL");
    expect(await refusedCall(stage)).toBe("gateway_unreachable");
  });

  it.each([404, 403, 500, 302, 204])("another server answers instead: %d with an allow", async (status) => {
    const impostor = await startRecordingServer((_, response) => {
      response.writeHead(status, { "content-type": "application/json", location: "/" });
      response.end(status === 204 ? "" : ALLOW);
    });
    onTestFinished(() => impostor.close());
    const url = `http://127.0.0.1:${String(impostor.port)}`;
    const stage = await stageOfTest("http://127.0.0.1:9", { SVC_AGENTCORE_CHECKGW_URL: url });
    const code = await refusedCall(stage);
    expect(["gateway_refused", "verdict_unreadable"]).toContain(code);
    expect(impostor.requests).toHaveLength(1);
  });

  it("the function is not configured", async () => {
    const stage = await stageOfTest("http://127.0.0.1:9", { SVC_AGENT_ID: "not*an id" });
    expect(await refusedCall(stage)).toBe("internal_error");
  });

  it("the invocation ends before the deadline does", async () => {
    const silent = await startRecordingServer(() => {});
    onTestFinished(() => silent.close());
    const lambda = await startLambdaFunction({
      env: {
        SVC_AGENTCORE_CHECKGW_URL: `http://127.0.0.1:${String(silent.port)}`,
        SVC_AGENT_ID: "agent-1",
        SVC_DECISION_TIMEOUT_MS: "60000",
      },
      timeoutMs: 1_000,
    });
    const gateway = await startSimulatedGateway({ interceptor: lambda });
    onTestFinished(() => gateway.close());
    onTestFinished(() => lambda.stop());
    const { body } = await gateway.send(call("payments___charge", { amount: 12 }));
    expect(body).toMatchObject({
      id: 7,
      error: { code: 503_001, data: { reason_code: "decision_timeout" } },
    });
    expect(gateway.targetSaw()).toEqual([]);
  });
});

describe("F1: passRequestHeaders", () => {
  const env = { SVC_AGENT_ID: "", SVC_AGENTCORE_AGENT_HEADER: "X-Agent" };

  it.each([
    { passRequestHeaders: true, agent: "agent-2" },
    { passRequestHeaders: false, agent: null },
  ])("$passRequestHeaders: the agent is $agent", async ({ passRequestHeaders, agent }) => {
    const upstream = await startRecordingServer((_, response) => {
      const body = JSON.stringify({ decision: "allow", decision_id: "g.1", args_constrained: false });
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
    onTestFinished(() => upstream.close());
    const stage = await startStage(`http://127.0.0.1:${String(upstream.port)}`, env);
    onTestFinished(() => stopStage(stage));
    const headers = { "X-Agent": "agent-2" };
    const gateway = await startSimulatedGateway({ interceptor: stage.lambda, passRequestHeaders, headers });
    onTestFinished(() => gateway.close());
    await gateway.send(call("payments___charge", {}));
    expect(gateway.targetSaw()).toHaveLength(agent === null ? 0 : 1);
    const asked = upstream.requests.map(({ body }) => (JSON.parse(body) as { agent_id: unknown }).agent_id);
    expect(asked).toEqual(agent === null ? [] : [agent]);
  });
});
