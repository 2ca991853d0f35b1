import { connect } from "node:net";
import { LOOPBACK_HOSTS } from "@svc/http-edge/host-check";
import { describe, expect, it } from "vitest";
import { sendAnswer } from "./testing/mcp-server-stub.ts";
import { proxyOfTest } from "./testing/proxy-of-test.suite.ts";
import { ALLOW, callOf, DENY, type TestMcpProxy } from "./testing/start-mcp-proxy.ts";

/** Sends bytes as they are and reads until the connection ends. */
function sendBytes(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(text));
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

function expectNothing(proxy: TestMcpProxy): void {
  expect(proxy.server.seen).toEqual([]);
  expect(proxy.asked).toEqual([]);
  expect(proxy.defects).toEqual([]);
}

const CALL = JSON.stringify(callOf());
const STATELESS = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };

describe("bodies that servers read differently", () => {
  // proves MCP-07
  it.each([`[${CALL}]`, ` \n[${CALL}]`, `[{"jsonrpc":"2.0","method":"ping","id":2},${CALL}]`, "[]"])(
    "M1: a batch is refused: %j",
    async (body) => {
      const proxy = await proxyOfTest();
      const answer = await proxy.send({ body });
      expect([answer.status, answer.json]).toMatchObject([400, { id: null, error: { code: -32600 } }]);
      expectNothing(proxy);
    },
  );

  it.each([
    ["a byte order mark", `\uFEFF${CALL}`],
    ["a byte order mark before a batch", `\uFEFF[${CALL}]`],
    ["UTF-16", Buffer.from(CALL, "utf16le")],
    ["UTF-16 with a mark", Buffer.from(`\uFEFF${CALL}`, "utf16le")],
    ["invalid UTF-8", Buffer.from(CALL.replace("hi", "\xff"), "latin1")],
    ["a duplicate method", CALL.replace("{", '{"method":"ping",')],
    ["a duplicate method, escaped", CALL.replace("{", '{"m\\u0065thod":"ping",')],
    ["NaN", CALL.replace('"hi"', "NaN")],
    ["an id above 2^53", CALL.replace('"id":1', '"id":9007199254740993')],
    ["a duplicate id", CALL.replace("{", '{"id":2,')],
    ["a look-alike of the id", CALL.replace("{", '{"ID":2,"x":-0,')],
    ["two documents", `${CALL}\n${CALL}`],
    ["a comment", `${CALL}//`],
    ["nothing", ""],
  ])("M3: %s is refused with -32700 and id null, because its id is ambiguous", async (_name, body) => {
    const proxy = await proxyOfTest();
    const answer = await proxy.send({ body });
    expect([answer.status, answer.json]).toMatchObject([400, { id: null, error: { code: -32700 } }]);
    expectNothing(proxy);
  });

  it.each([
    ["a duplicate name", CALL.replace('"name"', '"name":"other","name"')],
    ["a duplicate argument", CALL.replace('"text"', '"text":"other","text"')],
    ["a prototype key", CALL.replace('"text"', '"__proto__"')],
    ["a constructor", CALL.replace('"text"', '"constructor"')],
    ["65 levels", CALL.replace('"hi"', `${"[".repeat(65)}${"]".repeat(65)}`)],
    ["an integer above 2^53", CALL.replace('"hi"', "1234567890123456789")],
    ["a negative zero", CALL.replace('"hi"', "-0.0")],
  ])("M3: %s does not reach the server, and is answered with its id", async (_name, body) => {
    const proxy = await proxyOfTest();
    const answer = await proxy.send({ body });
    expect([answer.status, answer.json]).toMatchObject([200, { id: 1, error: { code: -32700 } }]);
    expectNothing(proxy);
  });

  it.each([[], null, "x"])("M3: params %j are refused with the exact id", async (params) => {
    const proxy = await proxyOfTest();
    const { status, json } = await proxy.send({ body: { jsonrpc: "2.0", id: "", method: "ping", params } });
    expect([status, json]).toMatchObject([200, { id: "", error: { code: -32600 } }]);
    expectNothing(proxy);
  });

  it.each([
    '"Method":"ping"',
    '"METHOD":"ping"',
    '"method\\u0000":"ping"',
    '"PARAMS":{"name":"other"}',
    '"param\u017f":{"name":"other"}',
    '"ID":2',
    '"x":1',
  ])("M3: a member %s beside the known ones is refused", async (member) => {
    const proxy = await proxyOfTest();
    const { json } = await proxy.send({ body: CALL.replace("{", `{${member},`) });
    expect(json["error"]).toMatchObject({ code: -32600 });
    expectNothing(proxy);
  });

  it.each(["Name", "NAME", "na\u0000me", "n\uff41me", "Arguments", "argument\u017f", "Task", "_META"])(
    "M3: a look-alike %j in params is refused with the exact id",
    async (key) => {
      const proxy = await proxyOfTest();
      const answer = await proxy.send({ body: callOf({ [key]: "other" }, "seven") });
      expect([answer.status, answer.json["id"]]).toEqual([200, "seven"]);
      expectNothing(proxy);
    },
  );

  it.each([
    "Tools/Call",
    "tools/call ",
    "tools/call\u0000",
    " tools/call",
    "tools//call",
    "TOOLS/CALL",
    "tools.call",
  ])("M3: the method %j does not pass", async (method) => {
    const proxy = await proxyOfTest();
    const { status, json } = await proxy.send({ body: { ...callOf(), method } });
    expect([status, json]).toMatchObject([200, { id: 1, error: { code: -32601 } }]);
    expectNothing(proxy);
  });

  it("M3: an escaped method is judged, and the server gets what was judged", async () => {
    const proxy = await proxyOfTest();
    const body = '{ "params":{"name":"ec\\u0068o"},"m\\u0065thod":"tools\\/call","id":1,"jsonrpc":"2.0"}';
    await proxy.send({ body });
    expect(proxy.asked).toMatchObject([{ tool: "echo", args: {} }]);
    expect(proxy.server.seen[0]?.body).toBe(
      '{"params":{"name":"echo"},"method":"tools/call","id":1,"jsonrpc":"2.0"}',
    );
  });

  // proves MCP-02
  it.each([
    ["no id", {}],
    ["id null", { id: null }],
    ["an object as id", { id: { a: 1 } }],
    ["true as id", { id: true }],
    ["a fraction as id", { id: 1.5 }],
  ])("M2: a call with %s does not reach the server", async (_name, id) => {
    const proxy = await proxyOfTest();
    const { id: _id, ...call } = callOf() as { id: unknown };
    const answer = await proxy.send({ body: { ...call, ...id } });
    expect([answer.status, answer.json]).toMatchObject([400, { id: null, error: { code: -32600 } }]);
    expectNothing(proxy);
  });

  it.each(["/", "/mcp", "/mcp/", "/mcp?x=1", "/added"])(
    "M3: a call is judged on the path %s",
    async (target) => {
      const proxy = await proxyOfTest({ decide: DENY, settings: { passPaths: ["/added"] } });
      expect((await proxy.send({ target, body: CALL })).json["error"]).toMatchObject({ code: 403_001 });
      expect(proxy.server.seen).toEqual([]);
    },
  );
});

describe("headers that contradict the body", () => {
  it.each([
    ["Mcp-Method", "ping"],
    ["Mcp-Method", "Tools/Call"],
    ["Mcp-Name", "other"],
    ["Mcp-Name", "=?base64?b3RoZXI=?="],
    ["Mcp-Name", "=?base64?ZWNobw?="],
    ["Mcp-Name", "=?base64?!!?="],
  ])("M4: %s: %s against the body is 400 and -32020", async (name, value) => {
    const proxy = await proxyOfTest();
    const answer = await proxy.send({ headers: [[name, value]], body: callOf({}, 4) });
    expect([answer.status, answer.json]).toMatchObject([400, { id: 4, error: { code: -32020 } }]);
    expectNothing(proxy);
  });

  it("M4: repeated headers are refused; correct ones pass, encoded or not", async () => {
    const proxy = await proxyOfTest();
    const twice: [string, string][] = [
      ["Mcp-Name", "echo"],
      ["mcp-name", "echo"],
    ];
    expect((await proxy.send({ headers: twice, body: CALL })).status).toBe(400);
    expectNothing(proxy);
    for (const name of ["echo", "=?base64?ZWNobw==?="]) {
      const headers: [string, string][] = [
        ["Mcp-Name", name],
        ["Mcp-Method", "tools/call"],
      ];
      expect((await proxy.send({ headers, body: CALL })).status).toBe(200);
    }
  });

  it.each([undefined, "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"])(
    "M5: with MCP-Protocol-Version %s the body is judged",
    async (version) => {
      const proxy = await proxyOfTest();
      const headers: [string, string][] = version === undefined ? [] : [["MCP-Protocol-Version", version]];
      await proxy.send({ headers, body: CALL });
      expect(proxy.asked).toMatchObject([{ tool: "echo" }]);
    },
  );

  it.each(["Mcp-Name", "Mcp-Session-Id", "X-Svc-Agent-Id", "close, Authorization"])(
    "M14: Connection: %s cannot remove a header",
    async (option) => {
      const proxy = await proxyOfTest();
      expect((await proxy.send({ headers: [["Connection", option]], body: CALL })).status).toBe(400);
      expectNothing(proxy);
    },
  );

  it("M14: a client that offers HTTP/2 gets HTTP/1.1, and the server does not see the offer", async () => {
    const proxy = await proxyOfTest();
    const headers: [string, string][] = [
      ["Connection", "Upgrade, HTTP2-Settings"],
      ["Upgrade", "h2c"],
      ["HTTP2-Settings", "AAEAAEAAAAIAAAAA"],
    ];
    expect((await proxy.send({ headers, body: CALL })).status).toBe(200);
    const names = Object.keys(proxy.server.seen[0]?.headers ?? {});
    expect(names.filter((name) => ["upgrade", "http2-settings"].includes(name))).toEqual([]);
  });

  it.each(["a\r\nX-Evil: 1", "a\nX-Evil: 1", "a\0", "ä"])(
    "M14: a rewritten argument %j cannot become a header of its own",
    async (region) => {
      const proxy = await proxyOfTest({
        decide: (call) =>
          Promise.resolve({ ...ALLOW, args_constrained: true, shaped_args: { ...call.args, region } }),
      });
      const properties = { region: { type: "string", "x-mcp-header": "Region" } };
      const tools = [{ name: "echo", inputSchema: { type: "object", properties } }];
      proxy.server.script = (_, response) =>
        sendAnswer(response, { jsonrpc: "2.0", id: 1, result: { tools } });
      await proxy.send({ body: { jsonrpc: "2.0", id: 1, method: "tools/list" } });
      const body = callOf({ arguments: { region: "eu" } });
      await proxy.send({ headers: [["Mcp-Param-Region", "eu"]], body });
      const headers = proxy.server.seen[1]?.headers ?? {};
      const encoded = `=?base64?${Buffer.from(region, "utf8").toString("base64")}?=`;
      expect([headers["mcp-param-region"], headers["x-evil"]]).toEqual([encoded, undefined]);
    },
  );

  it.each([
    ["gzip", "content-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}", 415],
    ["two codings", "transfer-encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 400],
    ["two lengths", "content-length: 2\r\ncontent-length: 3\r\n\r\n{}", 400],
    ["a length and chunks", "content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n", 400],
  ])("M15: %s", async (_name, rest, status) => {
    const proxy = await proxyOfTest();
    const host = `host: 127.0.0.1:${String(proxy.port)}`;
    const head = `POST /mcp HTTP/1.1\r\n${host}\r\nconnection: close\r\ncontent-type: application/json\r\n`;
    expect(await sendBytes(proxy.port, head + rest)).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} `));
    expectNothing(proxy);
  });

  it("M15: chunks and trailers arrive as one body of known length", async () => {
    const proxy = await proxyOfTest();
    const host = `host: 127.0.0.1:${String(proxy.port)}`;
    const head = `POST /mcp HTTP/1.1\r\n${host}\r\nconnection: close\r\ncontent-type: application/json\r\n`;
    const chunks = [CALL.slice(0, 10), CALL.slice(10)].map(
      (part) => `${part.length.toString(16)}\r\n${part}\r\n`,
    );
    const framing = "transfer-encoding: chunked\r\ntrailer: mcp-name\r\n\r\n";
    await sendBytes(proxy.port, `${head}${framing}${chunks.join("")}0\r\nmcp-name: other\r\n\r\n`);
    const headers = proxy.server.seen[0]?.headers ?? {};
    expect([headers["content-length"], headers["transfer-encoding"], headers["mcp-name"]]).toEqual([
      String(proxy.server.seen[0]?.body.length),
      undefined,
      undefined,
    ]);
  });

  it.each(["text/plain", "application/json; charset=utf-16", "application/json;q=1", "multipart/form-data"])(
    "M15: a body of type %s is 415",
    async (type) => {
      const proxy = await proxyOfTest();
      expect((await proxy.send({ headers: [["content-type", type]], body: CALL })).status).toBe(415);
      expectNothing(proxy);
    },
  );

  it("M15: a message as a form, in a GET or with an unknown method does not reach the server", async () => {
    const proxy = await proxyOfTest();
    const form: [string, string] = ["content-type", "application/x-www-form-urlencoded"];
    expect((await proxy.send({ headers: [form], body: CALL })).status).toBe(415);
    expect((await proxy.send({ target: "/token", headers: [form], body: CALL })).status).toBe(400);
    for (const method of ["GET", "DELETE", "OPTIONS"])
      expect((await proxy.send({ method, body: CALL })).status).toBe(400);
    for (const method of ["PUT", "PATCH", "PROPFIND"])
      expect((await proxy.send({ method, body: CALL })).status).toBe(405);
    expectNothing(proxy);
  });

  it("M15: a message over 1 MiB gets 413; arguments too large to judge are denied with the id", async () => {
    const proxy = await proxyOfTest();
    const large = (size: number) => callOf({ arguments: { text: "x".repeat(size) } });
    expect((await proxy.send({ body: large(1024 * 1024) })).status).toBe(413);
    const { status, json } = await proxy.send({ body: large(300_000) });
    expect([status, json]).toMatchObject([200, { id: 1, error: { code: 503_001 } }]);
    expectNothing(proxy);
  });
});

describe("access and identity", () => {
  // proves MCP-10
  it.each([
    ["host", "evil.example"],
    ["host", "evil.example:9003"],
    ["host", "127.0.0.1.evil.example"],
    ["host", "localhost@evil.example"],
    ["origin", "http://evil.example"],
    ["origin", "null"],
    ["origin", "http://localhost.evil.example"],
    ["origin", "file://localhost"],
    ["origin", ""],
  ])("M12: %s %j is refused", async (name, value) => {
    const proxy = await proxyOfTest();
    const answer = await proxy.send({ headers: [[name, value]], body: CALL });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expectNothing(proxy);
    const get = await proxy.send({ headers: [[name, value]] });
    expect(get.status).toBe(answer.status);
    expectNothing(proxy);
  });

  // proves MCP-10
  it.each(["localhost", "LOCALHOST:1", "127.0.0.1:9003", "[::1]:9003", "mcp.example"])(
    "M12: the host %s is allowed",
    async (host) => {
      const names = [...LOOPBACK_HOSTS.names, "mcp.example"];
      const settings = { allowedHosts: { ...LOOPBACK_HOSTS, names } };
      const proxy = await proxyOfTest({ settings });
      const headers: [string, string][] = [
        ["host", host],
        ["origin", `https://${host}`],
      ];
      expect((await proxy.send({ headers, body: CALL })).status).toBe(200);
    },
  );

  it("M11: an agent cannot use a session that another agent was given", async () => {
    const proxy = await proxyOfTest({ settings: { identity: { agentId: null, namespace: null } } });
    proxy.server.script = ({ body }, response) => {
      response.setHeader("mcp-session-id", "s-1");
      const { id } = JSON.parse(body === "" ? "{}" : body) as { id?: number };
      sendAnswer(response, { jsonrpc: "2.0", id, result: {} });
    };
    const as = (agent: string): [string, string][] => [["X-Svc-Agent-Id", agent]];
    await proxy.send({ headers: as("a"), body: { jsonrpc: "2.0", id: 0, method: "initialize" } });
    const session: [string, string] = ["Mcp-Session-Id", "s-1"];
    expect((await proxy.send({ headers: [...as("b"), session], body: CALL })).status).toBe(404);
    expect((await proxy.send({ headers: [...as("b"), session] })).status).toBe(404);
    expect((await proxy.send({ method: "DELETE", headers: [...as("b"), session] })).status).toBe(404);
    expect(proxy.server.seen).toHaveLength(1);
    expect((await proxy.send({ headers: [...as("a"), session], body: CALL })).status).toBe(200);
    // A server may refuse to end a session.
    await proxy.send({ method: "DELETE", headers: [...as("a"), session] });
    expect((await proxy.send({ headers: [...as("b"), session], body: CALL })).status).toBe(404);
  });

  it("M20: credentials and refusals pass unchanged, and the proxy does not retry without them", async () => {
    const proxy = await proxyOfTest({ script: (_, response) => sendAnswer(response, { error: "no" }, 401) });
    const answer = await proxy.send({ headers: [["Authorization", "Bearer fabricated"]], body: CALL });
    expect(answer.status).toBe(401);
    expect(proxy.server.seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer fabricated"]);
  });

  it.each([301, 302, 303, 307, 308])(
    "M13: a redirect %i is neither followed nor passed to another server",
    async (status) => {
      const elsewhere = await proxyOfTest();
      const location = `http://127.0.0.1:${String(elsewhere.port)}/mcp`;
      const proxy = await proxyOfTest({
        script: (_, response) => response.writeHead(status, { location }).end(),
      });
      const answer = await proxy.send({ headers: [["Authorization", "Bearer t"]], body: CALL });
      expect([answer.status, answer.headers.location]).toEqual([200, undefined]);
      expect(elsewhere.server.seen).toEqual([]);
    },
  );

  it("M13: a target cannot name another server", async () => {
    const proxy = await proxyOfTest();
    for (const target of ["http://evil.example/mcp", "//evil.example/mcp", "/../mcp", "/%2e%2e/mcp"])
      expect((await proxy.send({ target, body: CALL })).status).toBe(400);
    expectNothing(proxy);
  });

  it("M13: an upstream address that leads back to the proxy is refused", async () => {
    const proxy = await proxyOfTest();
    const answer = await proxy.send({ headers: [["Via", "1.1 a, 1.1 svc-mcp-proxy-test"]], body: CALL });
    expect(answer.status).toBe(508);
    expectNothing(proxy);
  });
});

describe("other methods that make the server work", () => {
  const WORK = [
    "resources/read",
    "resources/subscribe",
    "prompts/get",
    "completion/complete",
    "subscriptions/listen",
    "tasks/list",
  ];

  it.each(WORK)("M6: in strict mode %s is judged as a tool of its own", async (method) => {
    const proxy = await proxyOfTest({ settings: { strict: true, mcpId: "files" } });
    const params = { uri: "file:///etc/passwd", _meta: { progressToken: 1 } };
    await proxy.send({ body: { jsonrpc: "2.0", id: 1, method, params } });
    const tool = `files.mcp.${method.replace("/", ".")}`;
    expect(proxy.asked).toMatchObject([{ tool, args: { uri: "file:///etc/passwd" } }]);
    const relaxed = await proxyOfTest();
    await relaxed.send({ body: { jsonrpc: "2.0", id: 1, method, params } });
    expect([relaxed.asked.length, relaxed.server.seen.length]).toEqual([0, 1]);
  });

  it("M6: in strict mode a rewrite replaces the params, not their _meta", async () => {
    const decide = { ...ALLOW, args_constrained: true, shaped_args: { uri: "file:///tmp" } };
    const proxy = await proxyOfTest({ settings: { strict: true }, decide });
    const params = { uri: "file:///etc", _meta: { a: 1 } };
    await proxy.send({ body: { jsonrpc: "2.0", id: 1, method: "resources/read", params } });
    expect(JSON.parse(proxy.server.seen[0]?.body ?? "")).toMatchObject({
      params: { uri: "file:///tmp", _meta: { a: 1 } },
    });
  });

  it.each([
    { _meta: STATELESS, status: 404 },
    { _meta: {}, status: 200 },
  ])("M6: an unknown method is -32601 with status $status", async ({ _meta, status }) => {
    const proxy = await proxyOfTest();
    const body = { jsonrpc: "2.0", id: "u", method: "tools/execute", params: { _meta } };
    const answer = await proxy.send({ body });
    expect([answer.status, answer.json]).toMatchObject([status, { id: "u", error: { code: -32601 } }]);
    expectNothing(proxy);
  });

  it("M8: each retry with inputs is judged again, whatever its requestState says", async () => {
    const proxy = await proxyOfTest();
    const retry = { requestState: "r-1", inputResponses: { a: { action: "accept" } } };
    await proxy.send({ body: callOf(retry, 1) });
    await proxy.send({ body: callOf({ ...retry, arguments: { text: "other" } }, 2) });
    expect(proxy.asked.map(({ args }) => args["text"])).toEqual(["hi", "other"]);
  });

  it("M9: a server's message goes to the client that asked, and to no other", async () => {
    const proxy = await proxyOfTest();
    proxy.server.script = ({ headers, body }, response) => {
      const { id } = JSON.parse(body) as { id: number };
      setImmediate(() => sendAnswer(response, { jsonrpc: "2.0", id, result: { for: headers["x-client"] } }));
    };
    const clients = Array.from({ length: 50 }, (_, index) => `client-${String(index)}`);
    const answers = await Promise.all(
      clients.map((client) => proxy.send({ headers: [["X-Client", client]], body: callOf() })),
    );
    expect(answers.map(({ json }) => (json["result"] as { for: string }).for)).toEqual(clients);
  });
});
