import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { Verdict } from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";
import { CHAT, MESSAGES, sentEvents } from "@svc/tool-calls/testing/streamed-answers";
import { describe, expect, it } from "vitest";
import { judgeMessage } from "./judge-message.ts";
import { DEFAULT_IDENTITY } from "./routes/default-routes.ts";
import { compilePathTemplate } from "./routes/path-template.ts";
import type { GovernedRequest } from "./routes/plan-request.ts";
import type { RouteShape } from "./routes/route-table.ts";
import type { Ruling } from "./stream/stream-state.ts";
import { ALLOW } from "./testing/play-call.ts";

const MCP: RouteShape = {
  kind: "mcp",
  serverId: "files",
  paramHeaders: new Map([["mcp-param-region", "region"]]),
};
const REST: RouteShape = { kind: "rest", tool: "payments.refund" };
const OPENAI: RouteShape = { kind: "openai" };
const ANTHROPIC: RouteShape = { kind: "anthropic" };

interface Case {
  readonly shape: RouteShape;
  readonly body: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly query?: string;
  readonly direction?: "request" | "response";
  readonly parameters?: Readonly<Record<string, string>>;
  /** Rewritten arguments of every call. */
  readonly shaped?: JsonObject;
}

interface Judged {
  readonly ruling: Ruling;
  readonly allowed: readonly string[];
  readonly asked: readonly Pick<ExecuteRequest, "tool" | "args">[];
  /** The body that goes on, read again; undefined for the one that came. */
  readonly forwarded: unknown;
}

async function judge({ shape, body, headers = {}, ...given }: Case): Promise<Judged> {
  const asked: Pick<ExecuteRequest, "tool" | "args">[] = [];
  const request: GovernedRequest = {
    route: { path: compilePathTemplate("/**"), methods: ["POST"], shape, identity: DEFAULT_IDENTITY },
    identity: { agentId: "agent-1", sessionId: null, namespace: null },
    method: given.method ?? "POST",
    query: given.query ?? "",
    parameters: new Map(Object.entries(given.parameters ?? {})),
    traceparent: undefined,
  };
  const all = { ...(body === null ? {} : { "content-type": "application/json" }), ...headers };
  const message = {
    direction: given.direction ?? ("request" as const),
    headers: new Map(Object.entries(all).map(([name, value]) => [name, [value]])),
    body: body === null ? null : Buffer.from(body),
  };
  const verdict: Verdict =
    given.shaped === undefined
      ? ALLOW
      : ({ ...ALLOW, args_constrained: true, shaped_args: given.shaped } as Verdict);
  const { ruling, allowed } = await judgeMessage(message, request, {
    decide: ({ tool, args }) => {
      asked.push({ tool, args });
      return Promise.resolve(verdict);
    },
    signal: new AbortController().signal,
  });
  const bytes = ruling.kind === "release" ? ruling.body : null;
  const isJson = bytes !== null && all["content-type"] === "application/json";
  const forwarded: unknown = isJson ? JSON.parse(Buffer.from(bytes).toString()) : undefined;
  return { ruling, allowed, asked, forwarded };
}

const rpc = (method: string, params?: object, extra: object = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, ...(params === undefined ? {} : { params }), ...extra });
const call = (args?: object): string =>
  rpc("tools/call", { name: "read", ...(args ? { arguments: args } : {}) });

const chat = (message: object): string => JSON.stringify({ choices: [{ message }] });
const fn = (name: string, args: string): object => ({
  id: "c",
  type: "function",
  function: { name, arguments: args },
});

describe("what is asked", () => {
  const cases: readonly (Case & {
    readonly name: string;
    readonly calls: readonly (readonly [string, object])[];
  })[] = [
    {
      name: "MCP: a call, named below its server",
      shape: MCP,
      body: call({ a: 1 }),
      calls: [["files.read", { a: 1 }]],
    },
    {
      name: "MCP: a call whose headers repeat its arguments, named by the route or for them",
      shape: MCP,
      body: call({ region: "eu", maxAmount: 5 }),
      headers: { "mcp-param-region": "eu", "mcp-param-maxamount": "5" },
      calls: [["files.read", { region: "eu", maxAmount: 5 }]],
    },
    { name: "MCP: a call without arguments", shape: MCP, body: call(), calls: [["files.read", {}]] },
    {
      name: "MCP: a notification asks nothing",
      shape: MCP,
      body: '{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{}}',
      calls: [],
    },
    {
      name: "MCP: escaped names are what they mean",
      shape: MCP,
      body: '{"jsonrpc":"2.0","id":1,"m\\u0065thod":"tools\\/call","params":{"name":"re\\u0061d"}}',
      calls: [["files.read", {}]],
    },
    {
      name: "MCP: reading a resource",
      shape: MCP,
      body: rpc("resources/read", { uri: "x", _meta: { progressToken: 1 } }),
      calls: [["files.mcp.resources.read", { uri: "x" }]],
    },
    {
      name: "MCP: an unknown method",
      shape: MCP,
      body: rpc("tools/callAll"),
      calls: [["files.mcp.tools.callAll", {}]],
    },
    { name: "MCP: the handshake asks nothing", shape: MCP, body: rpc("initialize", {}), calls: [] },
    {
      name: "MCP: a reply to the server asks nothing",
      shape: MCP,
      body: '{"jsonrpc":"2.0","id":1,"result":{}}',
      calls: [],
    },
    { name: "MCP: GET asks nothing", shape: MCP, method: "GET", body: null, calls: [] },
    {
      name: "REST: path, query and body side by side",
      shape: REST,
      body: '{"amount":5}',
      query: "dry=1&note=a+b%26",
      parameters: { order: "o-1" },
      calls: [["payments.refund", { order: "o-1", dry: "1", note: "a b&", amount: 5 }]],
    },
    {
      name: "REST: names that no server takes for one another",
      shape: REST,
      body: '{"сумма":1,"счёт":2,"_":3,"-":4}',
      query: "a=1&ab=2",
      calls: [["payments.refund", { a: "1", ab: "2", сумма: 1, счёт: 2, _: 3, "-": 4 }]],
    },
    { name: "REST: no body", shape: REST, method: "GET", body: null, calls: [["payments.refund", {}]] },
    {
      name: "OpenAI: several calls, in order",
      shape: OPENAI,
      body: chat({ tool_calls: [fn("a", '{"x":1}'), fn("b", "")] }),
      calls: [
        ["a", { x: 1 }],
        ["b", {}],
      ],
    },
    {
      name: "OpenAI: the older form, and custom tools",
      shape: OPENAI,
      body: chat({
        tool_calls: [{ type: "custom", custom: { name: "sql", input: "select 1" } }],
        function_call: { name: "old", arguments: "{}" },
      }),
      calls: [
        ["sql", { input: "select 1" }],
        ["old", {}],
      ],
    },
    {
      name: "OpenAI: responses",
      shape: OPENAI,
      body: JSON.stringify({
        output: [
          { type: "message", content: [] },
          { type: "function_call", name: "a", arguments: '{"x":1}' },
          { type: "web_search_call" },
          { type: "computer_call", action: { type: "click" } },
        ],
      }),
      calls: [
        ["a", { x: 1 }],
        ["computer_call", { type: "computer_call", action: { type: "click" } }],
      ],
    },
    { name: "OpenAI: text asks nothing", shape: OPENAI, body: chat({ content: "hi" }), calls: [] },
    { name: "OpenAI: an error asks nothing", shape: OPENAI, body: '{"error":{"message":"no"}}', calls: [] },
    {
      name: "Anthropic: tool_use, and not what the provider ran",
      shape: ANTHROPIC,
      body: JSON.stringify({
        content: [
          { type: "text", text: "x" },
          { type: "server_tool_use", name: "web", input: {} },
          { type: "tool_use", id: "t", name: "a", input: { x: 1 } },
        ],
      }),
      calls: [["a", { x: 1 }]],
    },
    {
      name: "OpenAI: a streamed answer",
      shape: OPENAI,
      body: sentEvents(CHAT.write([{ tool: "a", pieces: ['{"x":', "1}"] }]), true),
      headers: { "content-type": "text/event-stream" },
      calls: [["a", { x: 1 }]],
    },
    {
      name: "Anthropic: a streamed answer",
      shape: ANTHROPIC,
      body: sentEvents(MESSAGES.write([{ tool: "a", pieces: ['{"x":', "1}"] }])),
      headers: { "content-type": "text/event-stream" },
      calls: [["a", { x: 1 }]],
    },
  ];
  it.each(cases)("$name", async ({ calls, ...given }) => {
    const { ruling, asked } = await judge(given);
    expect(asked).toEqual(calls.map(([tool, args]) => ({ tool, args })));
    expect(ruling).toMatchObject({ kind: "release", mark: calls.length === 0 ? "ungoverned" : "allow" });
  });
});

// proves MCP-18
describe("what is refused unasked", () => {
  const cases: readonly (Case & { readonly name: string })[] = [
    { name: "MCP: a batch", shape: MCP, body: `[${call()}]` },
    {
      name: "M2: MCP: a call without an id",
      shape: MCP,
      body: '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"read"}}',
    },
    {
      name: "MCP: a look-alike of params.name",
      shape: MCP,
      body: rpc("tools/call", { name: "a", n_a_m_e: "b" }),
    },
    { name: "MCP: a member beside those of a message", shape: MCP, body: rpc("ping", {}, { tool: "rm" }) },
    { name: "MCP: JSON that is not a message", shape: MCP, body: '{"a":1}' },
    {
      name: "MCP: a method twice",
      shape: MCP,
      body: '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}',
    },
    { name: "MCP: a method in other case", shape: MCP, body: rpc("ping", {}, { Method: "tools/call" }) },
    { name: "MCP: params in other case", shape: MCP, body: rpc("tools/call", { name: "a", Name: "b" }) },
    { name: "MCP: another version", shape: MCP, body: '{"jsonrpc":"1.0","method":"ping"}' },
    { name: "MCP: no version", shape: MCP, body: '{"method":"ping"}' },
    { name: "MCP: neither method nor result", shape: MCP, body: '{"jsonrpc":"2.0","id":1}' },
    { name: "MCP: arguments in a list", shape: MCP, body: rpc("tools/call", { name: "a", arguments: [1] }) },
    { name: "MCP: params in a list", shape: MCP, body: rpc("tools/call", []) },
    { name: "MCP: no tool", shape: MCP, body: rpc("tools/call", {}) },
    { name: "MCP: a tool that is not an identifier", shape: MCP, body: rpc("tools/call", { name: "a b " }) },
    { name: "MCP: a method that is not an identifier", shape: MCP, body: rpc("a*b") },
    {
      name: "MCP: a header that names another tool",
      shape: MCP,
      body: call(),
      headers: { "mcp-name": "write" },
    },
    {
      name: "MCP: a header that names another method",
      shape: MCP,
      body: call(),
      headers: { "mcp-method": "ping" },
    },
    {
      name: "MCP: a mirror that differs",
      shape: MCP,
      body: call({ region: "a" }),
      headers: { "mcp-param-region": "b" },
    },
    {
      name: "MCP: a mirror that no route names and that differs",
      shape: MCP,
      body: call({ amount: 5 }),
      headers: { "mcp-param-amount": "999" },
    },
    {
      name: "MCP: a mirror of nothing that is known",
      shape: MCP,
      body: call({ amount: 5 }),
      headers: { "mcp-param-limit": "5" },
    },
    { name: "X5: MCP: GET with a body", shape: MCP, method: "GET", body: call() },
    { name: "X5: MCP: HEAD", shape: MCP, method: "HEAD", body: null },
    { name: "no body", shape: MCP, body: "" },
    { name: "a byte order mark", shape: MCP, body: `\uFEFF${call()}` },
    { name: "X6: a content coding", shape: MCP, body: call(), headers: { "content-encoding": "gzip" } },
    {
      name: "another charset",
      shape: MCP,
      body: call(),
      headers: { "content-type": "application/json; charset=utf-7" },
    },
    { name: "X6: another length", shape: MCP, body: call(), headers: { "content-length": "9999" } },
    { name: "REST: a name twice", shape: REST, body: '{"id":1}', query: "id=2" },
    { name: "REST: a name twice in the query", shape: REST, body: null, query: "id=1&id=2" },
    ...[
      "region%5B%5D",
      "region%5B0%5D",
      "region%00",
      "%20region",
      "region+",
      "Region",
      "re_gion",
      "regio%EF%BD%8E",
    ].map((name) => ({
      name: `REST: ${name} beside region`,
      shape: REST,
      method: "GET",
      body: null,
      query: `region=eu&${name}=us`,
    })),
    { name: "REST: a list by name alone", shape: REST, body: null, query: "region%5B%5D=us" },
    { name: "REST: a member in other case", shape: REST, body: '{"maxAmount":5,"maxamount":9}' },
    { name: "REST: a query in other case", shape: REST, body: '{"maxAmount":5}', query: "maxamount=9" },
    {
      name: "REST: a path parameter in other case",
      shape: REST,
      body: '{"Order":5}',
      parameters: { order: "7" },
    },
    { name: "REST: a semicolon", shape: REST, body: null, query: "id=1;id=2" },
    { name: "REST: a bad escape", shape: REST, body: null, query: "id=%zz" },
    { name: "REST: escapes that are not UTF-8", shape: REST, body: null, query: "id=%ff" },
    { name: "REST: a prototype", shape: REST, body: null, query: "__proto__=1" },
    { name: "X5: REST: GET with a body", shape: REST, method: "GET", body: "{}" },
    { name: "REST: a list", shape: REST, body: "[1]" },
    {
      name: "OpenAI: arguments that are not JSON",
      shape: OPENAI,
      body: chat({ tool_calls: [fn("a", "{")] }),
    },
    {
      name: "OpenAI: arguments twice",
      shape: OPENAI,
      body: chat({ tool_calls: [fn("a", '{"x":1,"x":2}')] }),
    },
    {
      name: "OpenAI: arguments that are not a text",
      shape: OPENAI,
      body: chat({ tool_calls: [{ function: { name: "a", arguments: {} } }] }),
    },
    { name: "OpenAI: calls that are not a list", shape: OPENAI, body: chat({ tool_calls: { 0: {} } }) },
    {
      name: "OpenAI: both kinds of call",
      shape: OPENAI,
      body: chat({ tool_calls: [{ function: {}, custom: {} }] }),
    },
    ...[OPENAI, ANTHROPIC].flatMap((shape) =>
      ["301", "302", "303", "307", "308"].map((status) => ({
        name: `${shape.kind}: ${status}, which clients follow to an answer that nobody judges`,
        shape,
        body: '{"error":{"message":"moved"}}',
        headers: { ":status": status, location: "http://elsewhere.example/" },
      })),
    ),
    { name: "OpenAI: another answer", shape: OPENAI, body: '{"text":"x"}' },
    {
      name: "OpenAI: answers of both interfaces in one, of which a client reads one",
      shape: OPENAI,
      body: '{"choices":[],"output":[{"type":"function_call","name":"a","arguments":"{}"}]}',
    },
    {
      name: "OpenAI: too many calls",
      shape: OPENAI,
      body: chat({ tool_calls: Array.from({ length: 33 }, () => fn("a", "{}")) }),
    },
    {
      name: "Anthropic: input that is not an object",
      shape: ANTHROPIC,
      body: '{"content":[{"type":"tool_use","name":"a","input":"x"}]}',
    },
    { name: "Anthropic: another answer", shape: ANTHROPIC, body: "{}" },
    ...[OPENAI, ANTHROPIC, MCP].map((shape) => ({
      name: `${shape.kind}: a stream of other events`,
      shape,
      body: "event: x\ndata: {}\n\n",
      headers: { "content-type": "text/event-stream" },
    })),
  ];
  it.each(cases)("$name", async (given) => {
    const { ruling, asked } = await judge(given);
    expect(ruling).toMatchObject({
      kind: "refuse",
      verdict: { decision: "deny", reason_code: "request_malformed", fail_closed: true },
    });
    expect(asked).toEqual([]);
  });
});

describe("what goes on", () => {
  it("what was judged, written anew", async () => {
    const { ruling } = await judge({ shape: MCP, body: ' {"method":"ping", "jsonrpc":"2.0","id":1.0}' });
    const text = ruling.kind === "release" ? Buffer.from(ruling.body ?? []).toString() : "";
    expect(text).toBe('{"method":"ping","jsonrpc":"2.0","id":1}');
    expect((await judge({ shape: MCP, body: text })).forwarded).toBeUndefined();
  });

  const rewritten: readonly (Case & { readonly name: string; readonly want: unknown })[] = [
    { name: "MCP", shape: MCP, body: call({ a: 1 }), shaped: { b: 2 }, want: JSON.parse(call({ b: 2 })) },
    {
      name: "an MCP method",
      shape: MCP,
      body: rpc("prompts/get", { a: 1 }),
      shaped: { b: 2 },
      want: JSON.parse(rpc("prompts/get", { b: 2 })),
    },
    { name: "REST", shape: REST, body: '{"a":1}', query: "q=1", shaped: { q: "1", b: 2 }, want: { b: 2 } },
    {
      name: "OpenAI",
      shape: OPENAI,
      body: chat({ tool_calls: [fn("a", '{"x":1}')], content: null }),
      shaped: { x: 2 },
      want: JSON.parse(chat({ tool_calls: [fn("a", '{"x":2}')], content: null })),
    },
    {
      name: "Anthropic",
      shape: ANTHROPIC,
      body: '{"content":[{"type":"text"},{"type":"tool_use","name":"a","input":{"x":1}}]}',
      shaped: { x: 2 },
      want: { content: [{ type: "text" }, { type: "tool_use", name: "a", input: { x: 2 } }] },
    },
  ];
  it.each(rewritten)("a rewrite: $name", async ({ want, ...given }) => {
    expect((await judge(given)).forwarded).toEqual(want);
  });

  it("an answer without the verdict that its backend claims", async () => {
    const headers = { "x-svc-decision": "deny", "x-svc_decision": "deny", "x-request-id": "1" };
    const given: Case = { shape: OPENAI, body: chat({ content: "hi" }), headers };
    const removed = { changes: { set: [], remove: ["x-svc-decision", "x-svc_decision"] } };
    expect((await judge({ ...given, direction: "response" })).ruling).toMatchObject(removed);
  });

  const mirrors: readonly (readonly [string, JsonObject, object])[] = [
    ["plain", { region: "eu" }, { set: [["mcp-param-region", "eu"]], remove: [] }],
    ["encoded", { region: "ü" }, { set: [["mcp-param-region", "=?base64?w7w=?="]], remove: [] }],
    ["a number", { region: 7 }, { set: [["mcp-param-region", "7"]], remove: [] }],
    ["gone", {}, { set: [], remove: ["mcp-param-region"] }],
  ];
  it.each(mirrors)("X8: a mirrored argument becomes %s", async (_, shaped, changes) => {
    const headers = { "mcp-param-region": "us" };
    const { ruling } = await judge({ shape: MCP, body: call({ region: "us" }), headers, shaped });
    expect(ruling).toMatchObject({ kind: "release", changes });
  });

  const impossible: readonly (Case & { readonly name: string })[] = [
    {
      name: "a mirror that the route table does not know",
      shape: MCP,
      body: call({ a: "1" }),
      headers: { "mcp-param-a": "1" },
      shaped: {},
    },
    {
      name: "a mirror of what became an object",
      shape: MCP,
      body: call({ region: "us" }),
      headers: { "mcp-param-region": "us" },
      shaped: { region: {} },
    },
    { name: "a path", shape: REST, body: "{}", parameters: { id: "1" }, shaped: { id: "2" } },
    { name: "a query", shape: REST, body: "{}", query: "q=1", shaped: {} },
    { name: "a body that was not there", shape: REST, body: null, shaped: { a: 1 } },
    {
      name: "a call of no JSON form",
      shape: OPENAI,
      body: '{"output":[{"type":"computer_call"}]}',
      shaped: {},
    },
  ];
  it.each(impossible)("X8: a rewrite that cannot be carried out is a deny: $name", async (given) => {
    const { ruling } = await judge(given);
    expect(ruling).toMatchObject({ kind: "refuse", verdict: { reason_code: "shaping_unsupported" } });
  });
});
