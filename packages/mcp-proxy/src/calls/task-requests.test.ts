import { describe, expect, it } from "vitest";
import { sendAnswer } from "../testing/mcp-server-stub.ts";
import { proxyOfTest } from "../testing/proxy-of-test.suite.ts";
import {
  ALLOW,
  callOf,
  DENY,
  type TestAnswer,
  type TestMcpProxy,
  type TestOptions,
} from "../testing/start-mcp-proxy.ts";

type Header = [string, string];
const as = (agent: string, namespace = "n"): Header[] => [
  ["X-Svc-Agent-Id", agent],
  ["X-Svc-Namespace", namespace],
];
const NOBODY = { identity: { agentId: null, namespace: null }, mcpId: "files" };
const OF_SESSIONS = { task: { taskId: "t-1", status: "working", ttl: 60_000 } };
const STATELESS = { resultType: "task", taskId: "t-1", status: "working", ttlMs: 60_000 };
const BY_ID = ["tasks/get", "tasks/result", "tasks/update", "tasks/cancel"];

interface TaskProxy extends TestMcpProxy {
  /** Asks about the task `t-1`. */
  ask(method: string, headers: Header[], params?: object): Promise<TestAnswer>;
}

/** A proxy before a server whose calls all end in the task `t-1`, which agent `a` began in session `s-1`. */
async function withTask(result: object = OF_SESSIONS, options: TestOptions = {}): Promise<TaskProxy> {
  const proxy = await proxyOfTest({ ...options, settings: { ...NOBODY, ...options.settings } });
  const { script } = proxy.server;
  proxy.server.script = (_, response) => sendAnswer(response, { jsonrpc: "2.0", id: 1, result });
  const headers: Header[] = [...as("a"), ["X-Svc-Session-Id", "s-1"]];
  await proxy.send({ headers, body: callOf({ task: { ttl: 60_000 } }) });
  proxy.server.script = script;
  proxy.server.seen.length = 0;
  proxy.asked.length = 0;
  return Object.assign(proxy, {
    ask: (method: string, who: Header[], params: object = { taskId: "t-1" }) =>
      proxy.send({ headers: who, body: { jsonrpc: "2.0", id: "x", method, params } }),
  });
}

const NOT_FOUND = {
  id: "x",
  error: { code: -32602, data: { decision: "deny", reason_code: "task_unknown", fail_closed: false } },
};

// proves MCP-12
describe("M7: a task belongs to the agent that began it", () => {
  it.each([
    { era: "sessions", result: OF_SESSIONS },
    { era: "stateless", result: STATELESS },
  ])("era of $era: its own agent may fetch and stop it", async ({ result }) => {
    const proxy = await withTask(result);
    for (const method of BY_ID)
      expect((await proxy.ask(method, as("a"))).json["result"]).toMatchObject({ taskId: "t-1" });
    expect(proxy.server.seen).toHaveLength(4);
    // Only the inputs to a call are judged.
    expect(proxy.asked).toHaveLength(1);
    expect(proxy.found).toEqual([]);
  });

  it.each(BY_ID)(
    "%s from another agent, another namespace or no agent does not reach the server",
    async (method) => {
      const proxy = await withTask();
      for (const who of [as("b"), as("a", "m"), as("a").slice(0, 1), []]) {
        const { status, json } = await proxy.ask(method, who);
        expect([status, json]).toMatchObject([200, NOT_FOUND]);
      }
      expect([proxy.server.seen, proxy.asked]).toEqual([[], []]);
      expect(proxy.found).toEqual(Array.from({ length: 4 }, () => "task_unknown"));
    },
  );

  it.each<[string, object]>([
    ["is unknown", { taskId: "t-2" }],
    ["is missing", {}],
    ["is not a string", { taskId: ["t-1"] }],
    ["is null", { taskId: null }],
    ["is empty", { taskId: "" }],
    ["differs in case", { taskId: "T-1" }],
  ])("a task id that %s gets the same answer, in strict mode too", async (_name, params) => {
    for (const strict of [false, true]) {
      const proxy = await withTask(OF_SESSIONS, { settings: { strict } });
      for (const method of BY_ID)
        expect((await proxy.ask(method, as("a"), params)).json).toMatchObject(NOT_FOUND);
      expect([proxy.server.seen, proxy.asked]).toEqual([[], []]);
    }
  });

  it("no agent may fetch a task from before the proxy's start", async () => {
    const proxy = await proxyOfTest({ settings: NOBODY });
    const body = { jsonrpc: "2.0", id: "x", method: "tasks/get", params: { taskId: "t-1" } };
    expect((await proxy.send({ headers: as("a"), body })).json).toMatchObject(NOT_FOUND);
    expect(proxy.server.seen).toEqual([]);
  });

  it("the task in a stream's answer is known before the stream ends", async () => {
    const proxy = await proxyOfTest({ settings: NOBODY });
    const { script } = proxy.server;
    proxy.server.script = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result: OF_SESSIONS })}\n\n`);
    };
    const stream = await proxy.open({ headers: as("a"), body: callOf() });
    await stream[Symbol.asyncIterator]().next();
    proxy.server.script = script;
    const body = { jsonrpc: "2.0", id: 2, method: "tasks/get", params: { taskId: "t-1" } };
    expect((await proxy.send({ headers: as("a"), body })).json["result"]).toBeDefined();
    stream.destroy();
  });

  it("the task in a resumed stream's answer belongs to the open call", async () => {
    const proxy = await proxyOfTest({ settings: NOBODY });
    const { script } = proxy.server;
    const events = (text: string) => {
      proxy.server.script = (_, response) =>
        response.writeHead(200, { "content-type": "text/event-stream" }).end(text);
    };
    events("id: 1\ndata:\n\n");
    await proxy.send({ headers: as("a"), body: callOf() });
    events(`data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result: OF_SESSIONS })}\n\n`);
    await proxy.send({ headers: [...as("a"), ["Last-Event-ID", "1"]] });
    proxy.server.script = script;
    const body = { jsonrpc: "2.0", id: 2, method: "tasks/get", params: { taskId: "t-1" } };
    expect((await proxy.send({ headers: as("a"), body })).json["result"]).toBeDefined();
    expect((await proxy.send({ headers: as("b"), body })).json["error"]).toBeDefined();
  });

  it("a denied call begins no task", async () => {
    const proxy = await withTask(OF_SESSIONS, { decide: DENY });
    expect((await proxy.ask("tasks/get", as("a"))).json).toMatchObject(NOT_FOUND);
  });

  it.each([
    { notifications: { taskIds: ["t-1", "t-2"] } },
    { notifications: { taskIds: "t-1" } },
    { notifications: { taskids: ["t-1"] } },
    { Notifications: { taskIds: ["t-1"] } },
    { notifications: [] },
  ])("only its own agent may subscribe to a task: %j", async (params) => {
    const proxy = await withTask();
    expect((await proxy.ask("subscriptions/listen", as("a"), params)).json).toMatchObject(NOT_FOUND);
    expect(proxy.server.seen).toEqual([]);
  });

  it("every agent may subscribe to its own tasks and to other things", async () => {
    const proxy = await withTask();
    for (const notifications of [{ taskIds: ["t-1"] }, { toolsListChanged: true }, {}])
      await proxy.ask("subscriptions/listen", as("a"), { notifications });
    expect(proxy.server.seen).toHaveLength(3);
  });

  it("a list has only the agent's own tasks, as JSON and as events", async () => {
    const proxy = await withTask();
    const list = { jsonrpc: "2.0", id: "x", result: { tasks: [{ taskId: "t-1" }, { taskId: "t-9" }] } };
    proxy.server.script = (_, response) => sendAnswer(response, list);
    const listFor = async (agent: string) => (await proxy.ask("tasks/list", as(agent), {})).json["result"];
    expect([await listFor("a"), await listFor("b")]).toEqual([{ tasks: [{ taskId: "t-1" }] }, { tasks: [] }]);
    proxy.server.script = (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`id: 3\ndata: ${JSON.stringify(list)}\n\n`);
    };
    const { text } = await proxy.ask("tasks/list", as("a"), {});
    expect(text).toContain("id: 3\n");
    expect(text).toContain('"tasks":[{"taskId":"t-1"}]');
    expect(text).not.toContain("t-9");
  });
});

// proves MCP-12
describe("M7: inputs to a running call", () => {
  const inputs = { taskId: "t-1", inputResponses: { q: { action: "accept", content: { path: "/etc" } } } };

  it("are judged as that call, with its tool and session, for every sender and in every mode", async () => {
    for (const strict of [false, true]) {
      const proxy = await withTask(OF_SESSIONS, { settings: { strict } });
      await proxy.ask("tasks/update", [...as("a"), ["X-Svc-Session-Id", "s-2"]], inputs);
      const call = { agent_id: "a", namespace: "n", session_id: "s-1", tool: "files.echo" };
      expect(proxy.asked).toMatchObject([{ ...call, args: { inputResponses: inputs.inputResponses } }]);
      expect(JSON.parse(proxy.server.seen[0]?.body ?? "")).toMatchObject({ params: inputs });
    }
  });

  it("do not reach the server when they are denied", async () => {
    let count = 0;
    const decide = () => Promise.resolve((count += 1) === 1 ? ALLOW : DENY);
    const proxy = await withTask(OF_SESSIONS, { decide });
    const { json } = await proxy.ask("tasks/update", as("a"), inputs);
    expect(json).toMatchObject({ id: "x", error: { code: 403_001, data: { rule_id: "closed" } } });
    expect(proxy.server.seen).toEqual([]);
  });

  it("can be rewritten, but never to another task", async () => {
    const shaped_args = { inputResponses: {}, taskId: "t-9" };
    const proxy = await withTask(OF_SESSIONS, { decide: { ...ALLOW, args_constrained: true, shaped_args } });
    await proxy.ask("tasks/update", as("a"), { ...inputs, _meta: { a: 1 } });
    expect(JSON.parse(proxy.server.seen[0]?.body ?? "")).toMatchObject({
      params: { taskId: "t-1", inputResponses: {}, _meta: { a: 1 } },
    });
  });
});

// proves MCP-16
describe("M7, M17: a task whose call was killed", () => {
  it("cannot be fetched, even after the switch ended, and can still be stopped", async () => {
    const proxy = await withTask();
    proxy.kill({ scope: "tool", target: "files.echo" });
    for (const isActive of [true, false]) {
      if (!isActive) proxy.kill();
      for (const method of ["tasks/get", "tasks/result", "tasks/update"]) {
        const { json } = await proxy.ask(method, as("a"));
        expect(json).toMatchObject({ error: { code: 403_001, data: { reason_code: "kill_switch" } } });
      }
    }
    expect(proxy.server.seen).toEqual([]);
    expect((await proxy.ask("tasks/cancel", as("a"))).json["result"]).toBeDefined();
  });

  it("is left out of lists", async () => {
    const proxy = await withTask();
    const result = { tasks: [{ taskId: "t-1", status: "working" }] };
    proxy.server.script = (_, response) => sendAnswer(response, { jsonrpc: "2.0", id: "x", result });
    expect((await proxy.ask("tasks/list", as("a"), {})).json["result"]).toEqual(result);
    proxy.kill({ scope: "tool", target: "files.echo" });
    expect((await proxy.ask("tasks/list", as("a"), {})).json["result"]).toEqual({ tasks: [] });
  });

  it("does not bar tasks of another tool, agent or session", async () => {
    const proxy = await withTask();
    const others = [
      { scope: "tool", target: "files.other" },
      { scope: "agent", target: "b" },
      { scope: "session", target: "s-2" },
    ] as const;
    proxy.kill(...others);
    expect((await proxy.ask("tasks/get", as("a"))).json["result"]).toBeDefined();
  });

  it("a client that waits for its result gets the deny at once", async () => {
    const proxy = await withTask();
    proxy.server.script = () => {};
    const waiting = proxy.ask("tasks/result", as("a"));
    await expect.poll(() => proxy.server.seen.length).toBe(1);
    proxy.kill({ scope: "session", target: "s-1" });
    expect((await waiting).json).toMatchObject({ error: { code: 403_001 } });
    await expect.poll(() => proxy.server.aborted.length).toBe(1);
  });

  it.each(["notifications/tasks", "notifications/tasks/status"])(
    "notifications %s about it are dropped; those about other tasks pass",
    async (method) => {
      const proxy = await withTask(STATELESS);
      const news = (taskId: string): string =>
        `data: ${JSON.stringify({ jsonrpc: "2.0", method, params: { taskId, result: {} } })}\n\n`;
      const push = Promise.withResolvers<(text: string) => void>();
      proxy.server.script = (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
        push.resolve((text) => void response.write(text));
      };
      const params = { notifications: { taskIds: ["t-1"] } };
      const body = { jsonrpc: "2.0", id: 9, method: "subscriptions/listen", params };
      const stream = await proxy.open({ headers: as("a"), body });
      const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
      const tell = await push.promise;
      tell(news("t-1"));
      expect(String((await pieces.next()).value)).toBe(news("t-1"));
      proxy.kill({ scope: "tool", target: "files.echo" });
      tell(news("t-1") + news("t-2"));
      expect(String((await pieces.next()).value)).toBe(news("t-2"));
      stream.destroy();
    },
  );

  it("cannot be fetched while the list of switches is unverified", async () => {
    const proxy = await withTask();
    proxy.killState = { kind: "unverified" };
    expect((await proxy.ask("tasks/get", as("a"))).json).toMatchObject({ error: { code: 503_001 } });
    expect(proxy.server.seen).toEqual([]);
  });
});

describe("M7: calls that ask to run as a task", () => {
  it("are calls, and one that ends in a task has no outcome yet", async () => {
    const denied = await proxyOfTest({ decide: DENY });
    const { json } = await denied.send({ body: callOf({ task: { ttl: 1_000 } }) });
    expect(json["error"]).toMatchObject({ code: 403_001 });
    expect(denied.server.seen).toEqual([]);
    for (const result of [OF_SESSIONS, STATELESS]) expect((await withTask(result)).outcomes).toEqual([]);
  });

  it.each(["tasks/get", "tasks/result", "tasks/cancel"])(
    "M6: in strict mode %s is judged as a tool of its own",
    async (method) => {
      const proxy = await withTask(OF_SESSIONS, { settings: { strict: true } });
      await proxy.ask(method, as("a"));
      expect(proxy.asked).toMatchObject([{ tool: `files.mcp.${method.replace("/", ".")}` }]);
    },
  );
});
