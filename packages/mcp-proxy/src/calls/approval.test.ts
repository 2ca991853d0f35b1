import type { PauseVerdict, Verdict } from "@svc/contract/verdict";
import { pausedText } from "@svc/tool-calls/rpc-error";
import { describe, expect, it } from "vitest";
import { sendAnswer } from "../testing/mcp-server-stub.ts";
import { proxyOfTest } from "../testing/proxy-of-test.suite.ts";
import { ALLOW, callOf, DENY, type TestMcpProxy } from "../testing/start-mcp-proxy.ts";

const URL = "https://svc.example/approvals/1";
const PAUSE: PauseVerdict = {
  decision: "pause",
  decision_id: "g.3",
  reason: "A person must agree.",
  reason_code: "approval_required",
  approval_url: URL,
  args_constrained: false,
};

const URLS = { elicitation: { url: {} } };
const stateless = (capabilities: unknown = URLS): object => ({
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  },
});
const SESSION: [string, string] = ["Mcp-Session-Id", "s-1"];
const AGREED: [string, string] = ["MCP-Protocol-Version", "2025-11-25"];
const ACCEPT = { "svc.approval": { action: "accept" } };

interface Asking extends TestMcpProxy {
  verdict: Verdict;
}

async function asking(settings: object = {}, verdict: Verdict = PAUSE): Promise<Asking> {
  const current = { verdict };
  const proxy = await proxyOfTest({
    decide: () => Promise.resolve(current.verdict),
    settings: { approval: "elicit", ...settings },
  });
  return Object.assign(current, proxy);
}

/** Begins the session `s-1` with a client of these capabilities. */
async function initialize(proxy: TestMcpProxy, capabilities: unknown): Promise<void> {
  const { script } = proxy.server;
  proxy.server.script = (_, response) => {
    response.setHeader("mcp-session-id", "s-1");
    sendAnswer(response, { jsonrpc: "2.0", id: 0, result: {} });
  };
  await proxy.send({ body: { jsonrpc: "2.0", id: 0, method: "initialize", params: { capabilities } } });
  proxy.server.script = script;
  proxy.server.seen.length = 0;
}

const TODAY = { error: { code: 202_001, data: { approval_url: URL } } };

interface Question {
  readonly resultType: string;
  readonly inputRequests: Readonly<Record<string, { readonly params: object }>>;
  readonly requestState?: string;
}

// proves MCP-15
describe("a pause as a question to the client's user", () => {
  it("stateless clients get it as input_required, and the retry runs when it is allowed", async () => {
    const proxy = await asking();
    const { status, json } = await proxy.send({ body: callOf(stateless(), 0) });
    expect([status, json["id"]]).toEqual([200, 0]);
    expect(json["result"]).toMatchObject({
      resultType: "input_required",
      inputRequests: {
        "svc.approval": {
          method: "elicitation/create",
          params: { mode: "url", url: URL, message: pausedText(PAUSE) },
        },
      },
    });
    expect(json["result"]).not.toHaveProperty("requestState");
    proxy.verdict = ALLOW;
    await proxy.send({ body: callOf({ ...stateless(), inputResponses: ACCEPT }, 1) });
    expect(proxy.asked).toHaveLength(2);
    // The server gets the call as it was before the question.
    expect(JSON.parse(proxy.server.seen[0]?.body ?? "")).toEqual(callOf(stateless(), 1));
  });

  it("clients with a session get the error -32042 with the address, and the retry runs", async () => {
    const proxy = await asking();
    await initialize(proxy, URLS);
    const { status, json } = await proxy.send({ headers: [SESSION, AGREED], body: callOf({}, 0) });
    const elicitations = [{ mode: "url", elicitationId: "g.3", url: URL, message: pausedText(PAUSE) }];
    expect([status, json]).toMatchObject([
      200,
      { id: 0, error: { code: -32042, data: { elicitations, decision: "pause", approval_url: URL } } },
    ]);
    expect(proxy.server.seen).toEqual([]);
    proxy.verdict = ALLOW;
    expect((await proxy.send({ headers: [SESSION, AGREED], body: callOf() })).json["result"]).toBeDefined();
  });

  it.each(["2025-06-18", "2025-03-26", null])(
    "a session of %s gets the error, because its revision has no addresses",
    async (revision) => {
      const proxy = await asking();
      await initialize(proxy, URLS);
      const headers: [string, string][] = revision === null ? [] : [["MCP-Protocol-Version", revision]];
      const { json } = await proxy.send({ headers: [SESSION, ...headers], body: callOf({}, 0) });
      expect(json).toMatchObject(TODAY);
    },
  );

  it.each([
    "url",
    null,
    {},
    { elicitation: {} },
    { elicitation: { form: {} } },
    { elicitation: { url: true } },
  ])("clients with the capabilities %j get the error", async (capabilities) => {
    const proxy = await asking();
    expect((await proxy.send({ body: callOf(stateless(capabilities)) })).json).toMatchObject(TODAY);
    await initialize(proxy, capabilities);
    expect((await proxy.send({ headers: [SESSION, AGREED], body: callOf() })).json).toMatchObject(TODAY);
    expect((await proxy.send({ body: callOf() })).json).toMatchObject(TODAY);
    expect(proxy.server.seen).toEqual([]);
  });

  it("with SVC_MCP_APPROVAL=off retries pass unchanged", async () => {
    const proxy = await asking({ approval: "off" });
    await initialize(proxy, URLS);
    expect((await proxy.send({ body: callOf(stateless()) })).json).toMatchObject(TODAY);
    expect((await proxy.send({ headers: [SESSION, AGREED], body: callOf() })).json).toMatchObject(TODAY);
    proxy.verdict = ALLOW;
    const retry = callOf({ ...stateless(), inputResponses: ACCEPT, requestState: "svc.approval:x" });
    await proxy.send({ body: retry });
    expect(JSON.parse(proxy.server.seen[0]?.body ?? "")).toEqual(retry);
  });

  it("a held call is not said to wait for an approval", async () => {
    const proxy = await asking(
      {},
      { ...PAUSE, reason: "rogue detection suspends s", reason_code: "agent_suspended" },
    );
    const { json } = await proxy.send({ body: callOf() });
    expect((json["error"] as { message: string }).message).toBe(
      `rogue detection suspends s. Nobody can approve it. Repeat the same call later. When: ${URL}`,
    );
  });

  it.each([
    ["A person must agree", "A person must agree. The call is paused until it is approved. Then"],
    ["Really?", "Really? The call is paused until it is approved. Then"],
  ])("%s: the text consists of sentences", async (reason, begin) => {
    const proxy = await asking({}, { ...PAUSE, reason });
    const { json } = await proxy.send({ body: callOf() });
    expect((json["error"] as { message: string }).message).toContain(begin);
  });

  it.each(["javascript:alert(1)", "file:///etc/passwd", "/approvals/1", ""])(
    "M19: an approval at %j is not offered as an address",
    async (approval_url) => {
      const proxy = await asking({}, { ...PAUSE, approval_url });
      const { json } = await proxy.send({ body: callOf(stateless()) });
      expect(json["error"]).toMatchObject({ code: 202_001 });
    },
  );

  it("only methods that MCP allows get a question", async () => {
    const proxy = await asking({ strict: true });
    const send = (method: string) =>
      proxy.send({
        body: { jsonrpc: "2.0", id: 1, method, params: { uri: "u", name: "n", ...stateless() } },
      });
    for (const method of ["prompts/get", "resources/read"])
      expect((await send(method)).json["result"]).toMatchObject({ resultType: "input_required" });
    for (const method of ["completion/complete", "resources/subscribe"])
      expect((await send(method)).json["error"]).toMatchObject({ code: 202_001 });
  });

  it("is asked once: a retry that is still paused gets the error", async () => {
    const proxy = await asking();
    for (const action of ["accept", "decline", "cancel"]) {
      const inputResponses = { "svc.approval": { action } };
      const { json } = await proxy.send({ body: callOf({ ...stateless(), inputResponses }) });
      expect(json).toMatchObject(TODAY);
    }
    expect(proxy.server.seen).toEqual([]);
  });
});

// proves MCP-15
describe("M8: the proxy trusts nothing in a retry", () => {
  it("an accepted question is not an allow: a denied call stays denied", async () => {
    const proxy = await asking();
    const retry = callOf({ ...stateless(), inputResponses: ACCEPT });
    expect((await proxy.send({ body: retry })).json).toMatchObject(TODAY);
    proxy.verdict = DENY;
    expect((await proxy.send({ body: retry })).json["error"]).toMatchObject({ code: 403_001 });
    expect([proxy.asked.length, proxy.server.seen]).toEqual([2, []]);
  });

  it("the arguments of the retry are judged, not those that were paused", async () => {
    const proxy = await asking();
    await proxy.send({ body: callOf(stateless(), 1) });
    const other = { ...stateless(), inputResponses: ACCEPT, arguments: { text: "other" } };
    await proxy.send({ body: callOf(other, 2) });
    expect(proxy.asked.map(({ args }) => args["text"])).toEqual(["hi", "other"]);
    expect(proxy.server.seen).toEqual([]);
  });

  it("the params for the server's own question come back to the server", async () => {
    const proxy = await asking();
    const ofServer = { requestState: "opaque", inputResponses: { q: { action: "accept", content: {} } } };
    const { json } = await proxy.send({ body: callOf({ ...stateless(), ...ofServer }, 1) });
    const { requestState } = json["result"] as Question;
    proxy.verdict = ALLOW;
    // As the SDK does: the params of the first call, the answers to the last question and its state.
    await proxy.send({ body: callOf({ ...stateless(), inputResponses: ACCEPT, requestState }, 2) });
    expect(JSON.parse(proxy.server.seen[0]?.body ?? "")).toEqual(callOf({ ...stateless(), ...ofServer }, 2));
  });

  const forged = (text: string): string => `svc.approval:${Buffer.from(text).toString("base64url")}`;
  it.each([
    forged('{"name":"delete"}'),
    forged('{"arguments":{"text":"x"},"requestState":"s"}'),
    forged('{"requestState":7}'),
    forged('{"inputResponses":[]}'),
    forged('{"requestState":"a","requestState":"b"}'),
    forged("[]"),
    forged(""),
    "svc.approval:",
    "svc.approval:!!",
  ])("a state %j that the proxy did not make is refused with the id", async (requestState) => {
    const proxy = await asking({}, ALLOW);
    const { json } = await proxy.send({ body: callOf({ ...stateless(), requestState }, 5) });
    expect(json).toMatchObject({ id: 5, error: { data: { reason_code: "request_malformed" } } });
    expect([proxy.asked, proxy.server.seen]).toEqual([[], []]);
  });

  it("a forged state gives the server nothing that the client could not send itself", async () => {
    const proxy = await asking({}, ALLOW);
    const requestState = forged('{"requestState":"s","inputResponses":{"q":{"action":"accept"}}}');
    await proxy.send({ body: callOf({ ...stateless(), requestState }) });
    expect(proxy.asked).toMatchObject([{ tool: "echo", args: { text: "hi" } }]);
    expect(JSON.parse(proxy.server.seen[0]?.body ?? "")).toMatchObject({
      params: { name: "echo", requestState: "s", inputResponses: { q: { action: "accept" } } },
    });
  });

  it("proxies in a chain with names of their own do not mix up their questions", async () => {
    const proxy = await asking({ mcpId: "near" }, ALLOW);
    const inputResponses = { "svc.approval.far": { action: "accept" } };
    const retry = callOf({ ...stateless(), inputResponses, requestState: "svc.approval.far:eA" });
    await proxy.send({ body: retry });
    expect(JSON.parse(proxy.server.seen[0]?.body ?? "")).toEqual(retry);
  });
});
