import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { Verdict } from "@svc/contract/verdict";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { MAX_ARGS_BYTES } from "@svc/tool-calls/read-call";
import { describe, expect, it } from "vitest";
import { createDenyingInterceptor, createInterceptor, type InterceptorHandler } from "./interceptor.ts";
import type { InterceptorOutput } from "./interceptor-output.ts";
import type { InterceptorSettings } from "./interceptor-settings.ts";
import {
  ALLOW,
  answeredOf,
  CALL,
  DENY,
  type EventParts,
  eventOf,
  forwardedOf,
  PAUSE,
  SETTINGS,
  SHAPED,
} from "./testing/events.ts";

interface Scripted {
  readonly handler: InterceptorHandler;
  readonly asked: { readonly call: ExecuteRequest; readonly timeoutMs: number }[];
  readonly logged: string[];
}

function scripted(verdict: Verdict | Error = ALLOW, settings: Partial<InterceptorSettings> = {}): Scripted {
  const asked: Scripted["asked"][number][] = [];
  const logged: string[] = [];
  const log = (fields: object, message: string): void => {
    logged.push(JSON.stringify({ ...fields, message }));
  };
  const handler = createInterceptor({
    settings: { ...SETTINGS, ...settings },
    timeoutMs: 5_000,
    ask: (call, timeoutMs) => {
      asked.push({ call, timeoutMs });
      return verdict instanceof Error ? Promise.reject(verdict) : Promise.resolve(verdict);
    },
    logger: { info: log, error: log },
  });
  return { handler, asked, logged };
}

function toolCall(params: object, more: object = {}): object {
  return { ...CALL, params, ...more };
}

describe("a verdict becomes what the gateway does", () => {
  // proves AGC-01, AGC-02
  it("an allow forwards the call as it was judged", async () => {
    const { handler, asked } = scripted(ALLOW);
    expect(forwardedOf(await handler(eventOf()))).toEqual(CALL);
    expect(asked.map(({ call }) => call)).toMatchObject([
      { agent_id: "agent-1", tool: "payments.refund", args: { amount: 12 }, session_id: null },
    ]);
  });

  // proves AGC-02
  it("a rewrite forwards the shaped arguments, and everything else as it came", async () => {
    const { handler } = scripted(SHAPED);
    const message = toolCall({ ...CALL.params, _meta: { progressToken: 1 } }, { id: "a" });
    expect(forwardedOf(await handler(eventOf(message)))).toEqual({
      ...message,
      params: { ...CALL.params, arguments: { amount: 10 }, _meta: { progressToken: 1 } },
    });
  });

  it.each([
    { verdict: DENY, code: 403_001, message: "Refunds are closed." },
    { verdict: { ...DENY, fail_closed: true } as Verdict, code: 503_001, message: "Refunds are closed." },
    {
      verdict: PAUSE,
      code: 202_001,
      message:
        "A person must agree. The call is paused until it is approved. Then repeat the same call. " +
        "Approval: https://svc.example/approvals/1",
    },
  ])("AGC-03: $code answers in the target's place", async ({ verdict, code, message }) => {
    for (const id of [0, 7, "0", "", -1]) {
      const output = await scripted(verdict).handler(eventOf({ ...CALL, id }));
      expect(forwardedOf(output)).toBeNull();
      const { decision, reason_code } = { reason_code: "", ...verdict };
      expect(output).toMatchObject({ mcp: { transformedGatewayResponse: { statusCode: 200 } } });
      expect(answeredOf(output)).toMatchObject({
        jsonrpc: "2.0",
        id,
        error: { code, message, data: { decision, reason_code } },
      });
    }
  });

  it("AGC-03: a decision that throws is a deny by the id, and its text stays inside", async () => {
    const { handler, logged } = scripted(new Error("secret"));
    const output = await handler(eventOf());
    expect(answeredOf(output)).toMatchObject({ id: 7, error: { code: 503_001 } });
    expect(JSON.stringify(output) + logged.join("")).not.toContain("secret");
  });

  it("the log holds no arguments", async () => {
    const { handler, logged } = scripted(DENY);
    await handler(eventOf(toolCall({ name: "a___b", arguments: { card: "4111" } })));
    expect(logged.join("")).toContain("judged");
    expect(logged.join("")).not.toContain("4111");
  });
});

describe("messages that run no tool pass unasked", () => {
  const passing: readonly object[] = [
    { jsonrpc: "2.0", id: 0, method: "initialize", params: { capabilities: {} } },
    { jsonrpc: "2.0", id: 1, method: "tools/list" },
    { jsonrpc: "2.0", id: 2, method: "ping" },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 3, result: {} },
    { jsonrpc: "2.0", id: 4, method: "resources/read", params: { uri: "file:///a" } },
  ];
  it.each(passing)("%j", async (message) => {
    const { handler, asked } = scripted(DENY);
    expect(forwardedOf(await handler(eventOf(message)))).toEqual(message);
    expect(asked).toEqual([]);
  });

  // proves MCP-19
  it.each([
    [
      { jsonrpc: "2.0", id: 3, result: { action: "accept" } },
      "mcp.response",
      { result: { action: "accept" } },
    ],
    [{ jsonrpc: "2.0", method: "notifications/x/y", params: { a: 1 } }, "mcp.notifications.x.y", { a: 1 }],
    [
      { jsonrpc: "2.0", id: 5, method: "tasks/update", params: { taskId: "t", inputResponses: {} } },
      "mcp.tasks.update",
      { taskId: "t", inputResponses: {} },
    ],
  ])("but what may feed a call that runs is judged: %j", async (message, tool, args) => {
    const { handler, asked } = scripted(ALLOW);
    expect(forwardedOf(await handler(eventOf(message)))).toEqual(message);
    expect(asked).toMatchObject([{ call: { tool, args } }]);
    const denying = scripted(DENY);
    expect(forwardedOf(await denying.handler(eventOf(message)))).toBeNull();
  });

  it("in strict mode what makes a target work is judged, and rewritten", async () => {
    const { handler, asked } = scripted(SHAPED, { strict: true });
    const message = {
      jsonrpc: "2.0",
      id: 4,
      method: "resources/read",
      params: { uri: "file:///a", _meta: {} },
    };
    expect(forwardedOf(await handler(eventOf(message)))).toEqual({
      ...message,
      params: { amount: 10, _meta: {} },
    });
    expect(asked[0]?.call).toMatchObject({ tool: "mcp.resources.read", args: { uri: "file:///a" } });
  });
});

const unreadable: readonly { name: string; event: unknown; id?: number | null; code?: number }[] = [
  ...[undefined, null, "2.0", 1, "1.00", ["1.0"]].map((version) => ({
    name: `AGC-05: version ${JSON.stringify(version)}`,
    event: eventOf(CALL, { version }),
  })),
  ...[undefined, null, 7, {}, CALL].map((raw) => ({
    name: `AGC-05: raw body ${JSON.stringify(raw)}`,
    event: eventOf(CALL, { raw }),
  })),
  { name: "AGC-05: an empty raw body", event: eventOf(CALL, { raw: "" }), code: -32_700 },
  { name: "AGC-05: another raw body", event: eventOf(CALL, { raw: JSON.stringify({ ...CALL, id: 8 }) }) },
  {
    name: "AGC-05: other arguments in the raw body",
    event: eventOf(CALL, { raw: JSON.stringify(toolCall({ name: "payments___refund", arguments: {} })) }),
  },
  { name: "AGC-05: no parsed body", event: eventOf(CALL, { request: { body: null } }), id: null },
  {
    name: "AGC-05: the raw body in base64",
    event: eventOf(CALL, { raw: Buffer.from(JSON.stringify(CALL)).toString("base64") }),
    code: -32_700,
  },
  {
    name: "AGC-05: a body that is said to be encoded",
    event: eventOf(CALL, { request: { isBase64Encoded: true } }),
  },
  {
    name: "a raw body over 256 KiB",
    event: eventOf(toolCall({ name: "a___b", arguments: { text: "x".repeat(256 * 1024) } })),
    code: -32_700,
  },
  {
    name: "M3: a repeated key",
    event: eventOf(CALL, { raw: JSON.stringify(CALL).replace('"id":7', '"id":6,"id":7') }),
    code: -32_700,
  },
  { name: "M3: a look-alike of method", event: eventOf({ ...CALL, Method: "ping" }), code: -32_600 },
  {
    name: "M3: a look-alike of arguments",
    event: eventOf(toolCall({ ...CALL.params, Arguments: {} })),
    code: -32_600,
  },
  {
    name: "a byte order mark",
    event: eventOf(CALL, { raw: `\ufeff${JSON.stringify(CALL)}` }),
    code: -32_700,
  },
  { name: "half a character", event: eventOf(CALL, { raw: `${JSON.stringify(CALL)}\ud800` }) },
  { name: "a batch", event: eventOf([CALL]), id: null, code: -32_600 },
  { name: "no JSON-RPC", event: eventOf({ tool: "a" }), id: null, code: -32_600 },
  { name: "an id that is null", event: eventOf({ ...CALL, id: null }), id: null, code: -32_600 },
  { name: "an id that is a fraction", event: eventOf({ ...CALL, id: 1.5 }), id: null, code: -32_600 },
  {
    name: "a call in the form of a notification",
    event: eventOf({ jsonrpc: "2.0", method: "tools/call", params: CALL.params }),
    id: null,
    code: -32_600,
  },
  { name: "M6: an unknown method", event: eventOf({ ...CALL, method: "Tools/Call" }), code: -32_601 },
  { name: "GET", event: eventOf(CALL, { request: { httpMethod: "GET" } }) },
  { name: "no method of HTTP", event: eventOf(CALL, { request: { httpMethod: undefined } }) },
  { name: "a response", event: eventOf(CALL, { mcp: { gatewayResponse: { statusCode: 200, body: {} } } }) },
  { name: "headers that are a list", event: eventOf(CALL, { request: { headers: [] } }) },
  { name: "a header with two values", event: eventOf(CALL, { request: { headers: { a: ["1", "2"] } } }) },
  { name: "a header in two spellings", event: eventOf(CALL, { request: { headers: { A: "1", a: "2" } } }) },
  {
    name: "a content coding",
    event: eventOf(CALL, { request: { headers: { "Content-Encoding": "gzip" } } }),
    code: -32_600,
  },
  {
    name: "Mcp-Method against the body",
    event: eventOf(CALL, { request: { headers: { "Mcp-Method": "ping" } } }),
    code: -32_600,
  },
  {
    name: "Mcp-Name against the body",
    event: eventOf(CALL, { request: { headers: { "Mcp-Name": "payments___read" } } }),
    code: -32_600,
  },
  {
    name: "Mcp-Name in base64",
    event: eventOf(CALL, { request: { headers: { "Mcp-Name": "=?base64?cGF5bWVudHNfX19yZWZ1bmQ=?=" } } }),
    code: -32_600,
  },
  ...[
    { name: 7 },
    { name: "" },
    { name: "refund" },
    { name: "a b___c" },
    { name: "a___b c " },
    { name: "a.b" },
  ].map((params) => ({ name: `params ${JSON.stringify(params)}`, event: eventOf(toolCall(params)) })),
  { name: "arguments that are a list", event: eventOf(toolCall({ name: "a___b", arguments: [] })) },
  { name: "no params", event: eventOf({ jsonrpc: "2.0", id: 7, method: "tools/call" }) },
  {
    name: "a session that is not an identifier",
    event: eventOf(toolCall({ ...CALL.params, _meta: { "svc/sessionId": "a b " } })),
  },
  { name: "no event", event: undefined, id: null },
  { name: "a text", event: "{}", id: null },
  { name: "no mcp", event: { interceptorInputVersion: "1.0" }, id: null },
];

describe("what cannot be read strictly is refused unasked", () => {
  it.each(unreadable)("$name", async ({ event, id = 7, code = 503_001 }) => {
    const { handler, asked } = scripted(ALLOW);
    const output = await handler(event);
    expect(asked).toEqual([]);
    expect(forwardedOf(output)).toBeNull();
    expect(output).toMatchObject({
      mcp: { transformedGatewayResponse: { statusCode: id === null ? 400 : 200 } },
    });
    expect(answeredOf(output)).toMatchObject({ id, error: { code } });
  });

  // proves ADP-12
  it("arguments that fit into the body and into no question are refused by their bound", async () => {
    const { handler, asked } = scripted(ALLOW);
    const text = "x".repeat(MAX_BODY_BYTES - 300);
    const output = await handler(eventOf(toolCall({ name: "a___b", arguments: { text } })));
    const message = expect.stringContaining(`at most ${String(MAX_ARGS_BYTES)} bytes`);
    expect(answeredOf(output)).toMatchObject({ id: 7, error: { code: 503_001, message } });
    expect(asked).toEqual([]);
  });

  it("an event about a target that speaks no MCP is refused in its own form", async () => {
    const http = { gatewayRequest: { path: "/agent/invocations", httpMethod: "POST", body: "e30=" } };
    const output: InterceptorOutput = await scripted().handler({ interceptorInputVersion: "1.0", http });
    expect(output).toMatchObject({ http: { transformedGatewayResponse: { statusCode: 403 } } });
    expect(output).not.toHaveProperty("mcp");
  });

  it("data that throws while it is looked at is refused", async () => {
    const trap = new Proxy(
      {},
      {
        getOwnPropertyDescriptor: () => {
          throw new Error("trap");
        },
      },
    );
    for (const handler of [scripted().handler, createDenyingInterceptor()]) {
      expect(answeredOf(await handler({ mcp: trap }))).toMatchObject({ id: null, error: { code: 503_001 } });
    }
  });
});

describe("F1: who calls", () => {
  const headers = { "X-Agent": "agent-2", "Mcp-Session-Id": "session-1" };
  const named = { identity: { agentId: null, namespace: "ns" }, agentHeader: "x-agent" };
  const withHeaders = (more: object = headers): EventParts => ({ request: { headers: more } });

  it("the header that the operator names, and the session of the gateway", async () => {
    const { handler, asked } = scripted(ALLOW, named);
    await handler(eventOf(CALL, withHeaders()));
    expect(asked[0]?.call).toMatchObject({ agent_id: "agent-2", namespace: "ns", session_id: "session-1" });
  });

  // proves ADP-15
  it("a fixed agent is in the default namespace, whatever the request says", async () => {
    const { handler, asked } = scripted(ALLOW);
    await handler(eventOf(CALL, withHeaders({ ...headers, "X-Svc-Namespace": "ns-2" })));
    expect(asked[0]?.call).toMatchObject({ agent_id: "agent-1", namespace: "default" });
  });

  it("no header counts that the operator does not name", async () => {
    const { handler, asked } = scripted(ALLOW);
    await handler(eventOf(CALL, withHeaders({ ...headers, "X-Svc-Agent-Id": "agent-2" })));
    expect(asked[0]?.call).toMatchObject({ agent_id: "agent-1" });
  });

  const refusals: readonly { name: string; settings: Partial<InterceptorSettings>; headers?: object }[] = [
    { name: "headers that are not passed", settings: named, headers: {} },
    { name: "a look-alike", settings: named, headers: { ...headers, X_Agent: "agent-3" } },
    { name: "a look-alike alone", settings: named, headers: { X_Agent: "agent-3" } },
    { name: "no identifier", settings: named, headers: { "x-agent": "*" } },
    { name: "another than the fixed agent", settings: { agentHeader: "x-agent" } },
  ];
  it.each(refusals)("refused: $name", async ({ settings, headers: passed = headers }) => {
    const { handler, asked } = scripted(ALLOW, settings);
    const output = await handler(eventOf(CALL, withHeaders(passed)));
    expect(answeredOf(output)).toMatchObject({ id: 7, error: { code: 503_001 } });
    expect(asked).toEqual([]);
  });
});

describe("a header that repeats an argument", () => {
  const parts = { request: { headers: { "Mcp-Param-Amount": "12" } } };

  it("does not hinder an allow", async () => {
    expect(forwardedOf(await scripted(ALLOW).handler(eventOf(CALL, parts)))).toEqual(CALL);
  });

  it("turns a rewrite into a deny: it would still tell the old value", async () => {
    const output = await scripted(SHAPED).handler(eventOf(CALL, parts));
    expect(answeredOf(output)?.error).toMatchObject({ data: { reason_code: "shaping_unsupported" } });
  });
});

describe("the time for a verdict", () => {
  it.each([
    { remaining: 60_000, wanted: 5_000 },
    { remaining: 3_000, wanted: 2_750 },
    { remaining: 100, wanted: 1 },
  ])("is $wanted ms with $remaining ms left", async ({ remaining, wanted }) => {
    const { handler, asked } = scripted();
    await handler(eventOf(), { getRemainingTimeInMillis: () => remaining });
    expect(asked[0]?.timeoutMs).toBe(wanted);
  });
});
