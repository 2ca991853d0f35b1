// peers: portkey

import { findFreePort } from "@svc/process/free-port";
import { describe, expect, it } from "vitest";
import { DENY, shaped } from "../support/adapters/gateway-verdicts.ts";
import { missing } from "../support/processes/missing-peers.ts";
import type { GuardrailStage } from "./guardrail-stage.ts";
import { governsModels, REFUND, SHIPPED_AGENT } from "./llm-gateway.suite.ts";
import { askModel, type ClientAnswer } from "./llm-gateway.ts";
import { type PortkeyOptions, portkeyHeaders, startPortkey } from "./portkey-process.ts";

/** Refused by a hook, and delivered although a hook refused. */
const [BLOCKED, DELIVERED_ANYWAY] = [446, 246];

// skip: needs Portkey, which the test runner installs where it can
describe.skipIf(missing.portkey)("Portkey before a model, with the shipped configuration", () => {
  const refusals = { blocked: BLOCKED, unanswered: BLOCKED };
  governsModels({ start: startPortkey, refusals, rewritesArguments: true }, onlyPortkey);
});

function onlyPortkey(current: () => GuardrailStage): void {
  /** Asks with a changed configuration, or as another client. */
  async function askWith(
    options: Partial<PortkeyOptions>,
    { path, known, headers }: { path?: string; known?: object; headers?: Record<string, string> } = {},
  ): Promise<ClientAnswer> {
    const { llm, checkgw, model } = current();
    const configured = await portkeyHeaders({ checkgwPort: checkgw.port, modelPort: model.port, ...options });
    return askModel({ ...llm, headers: { ...configured, ...headers } }, known, path);
  }

  describe("Anthropic's messages", () => {
    const ask = (): Promise<ClientAnswer> =>
      askWith({ provider: "anthropic" }, { path: "/v1/messages", known: { max_tokens: 10 } });

    // proves GRD-01
    it("allows", async () => {
      const { status, body } = await ask();
      expect(status).toBe(200);
      expect(body).toMatchObject({
        content: [{ text: "I refund." }, { name: REFUND.tool, input: REFUND.args }],
      });
      const { gateway } = current();
      expect(gateway.calls().map(({ tool }) => tool)).toEqual(["llm.request", "llm.response", REFUND.tool]);
    });

    // proves GRD-06
    it("denies a proposed use of a tool", async () => {
      current().judge({ [REFUND.tool]: DENY });
      const { status, text } = await ask();
      expect(status).toBe(BLOCKED);
      expect(text).not.toContain("4111");
    });

    // proves GRD-02
    it("rewrites its input in place", async () => {
      current().judge({ [REFUND.tool]: shaped({ amount: 1 }) });
      const { status, text, body } = await ask();
      expect(status).toBe(200);
      expect(text).not.toContain("4111");
      expect(body).toMatchObject({ content: [{ text: "I refund." }, { input: { amount: 1 } }] });
    });
  });

  it.each([
    ["completions", { prompt: "Please help." }],
    ["embeddings", { input: ["Please help."] }],
  ])("%s are judged as texts", async (path, prompt) => {
    current().judge({ "llm.request": DENY });
    const known = { messages: undefined, ...prompt };
    expect((await askWith({}, { path: `/v1/${path}`, known })).status).toBe(BLOCKED);
    expect(current().gateway.calls()).toMatchObject([{ args: { text: "Please help." } }]);
    expect(current().model.prompts()).toEqual([]);
  });

  describe("who asks", () => {
    it("F1: a client names its session, and never its agent", async () => {
      const metadata = JSON.stringify({ agent_id: "admin", session_id: "s-9", namespace: "root" });
      const headers = { "x-portkey-metadata": metadata, "x-svc-agent-id": "admin" };
      expect((await askWith({}, { headers })).status).toBe(200);
      const asked = current().gateway.calls();
      expect(asked).toHaveLength(3);
      for (const call of asked) {
        expect(call).toMatchObject({ agent_id: SHIPPED_AGENT, session_id: "s-9" });
        expect(call).not.toHaveProperty("namespace");
      }
    });
  });

  describe("streams", () => {
    // proves GRD-05
    it("a denied prompt is never streamed", async () => {
      current().judge({ "llm.request": DENY });
      expect((await askWith({}, { known: { stream: true } })).status).toBe(BLOCKED);
      expect(current().model.prompts()).toEqual([]);
    });

    // proves GRD-05
    it("a denied answer is streamed: its hook does not see it, and only marks it", async () => {
      current().judge({ "llm.response": DENY, [REFUND.tool]: DENY });
      const { status, text } = await askWith({}, { known: { stream: true } });
      expect(status).toBe(DELIVERED_ANYWAY);
      expect(text).toContain("4111");
      expect(text).toContain("[DONE]");
      const asked = current().gateway.calls();
      expect(asked.map(({ tool }) => tool)).toEqual(["llm.request", "llm.response"]);
      expect(asked[1]).toMatchObject({ args: { text: "", messages: [] } });
    });
  });

  // What Portkey does not show to its hooks. Were one of these to change, the documents would be wrong.
  describe("F9: requests without hooks", () => {
    it.each([
      ["/v1/responses", { input: "Please help.", messages: undefined }],
      ["/v1/chat/completions/", {}],
      ["/v1/proxy/chat/completions", {}],
      ["/v1/anything", {}],
    ])("%s reaches the model and comes back unjudged", async (path, known) => {
      current().judge({ "llm.request": DENY, "llm.response": DENY, [REFUND.tool]: DENY });
      const { status, text } = await askWith({}, { path, known });
      expect(status).toBe(200);
      expect(text).toContain("4111");
      expect(current().gateway.calls()).toEqual([]);
    });
  });

  it("F9: a client with its own configuration is not judged: why the operator sets it", async () => {
    current().judge({ "llm.request": DENY, "llm.response": DENY, [REFUND.tool]: DENY });
    const custom_host = `http://127.0.0.1:${String(current().model.port)}/v1`;
    const own = { provider: "openai", api_key: "none", custom_host };
    const { status, text } = await askWith({}, { headers: { "x-portkey-config": JSON.stringify(own) } });
    expect(status).toBe(200);
    expect(text).toContain("4111");
    expect(current().gateway.calls()).toEqual([]);
  });

  it("the provider's key comes from the configuration, never from the client", async () => {
    await askWith({}, { headers: { authorization: "Bearer clients-own" } });
    await askWith({ change: ['"provider"', '"api_key": "operators", "provider"'] });
    const keys = current().model.requests.map(({ headers }) => headers.authorization);
    expect(keys).toEqual(["Bearer undefined", "Bearer operators"]);
  });

  describe("without failOnError, which is Portkey's own default", () => {
    const lenient: Partial<PortkeyOptions> = { change: ['"failOnError": true', '"failOnError": false'] };

    // proves GRD-04
    it("F7: a silent gateway still blocks, because the adapter answers first", async () => {
      current().gateway.failWith(() => {});
      const { status, text } = await askWith(lenient);
      expect(status).toBe(BLOCKED);
      expect(text).toContain("decision_timeout");
    });

    it("without an adapter everything passes: why the shipped file sets it", async () => {
      const { status, text } = await askWith({ ...lenient, checkgwPort: await findFreePort() });
      expect(status).toBe(200);
      expect(text).toContain("4111");
      expect((await askWith({ checkgwPort: await findFreePort() })).status).toBe(BLOCKED);
    });
  });
}
