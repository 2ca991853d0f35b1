import { SESSION_REQUIRED } from "@svc/tool-calls/testing/session-required";
import { describe, expect, it, onTestFinished } from "vitest";
import { judgeJson } from "./guardrail/testing/judge-json.ts";
import { startTestCheckgw } from "./testing/start-checkgw.ts";

describe("a call without a session that its policy counts", () => {
  // proves ADP-08
  it("hears from /check which header to send", async () => {
    const checkgw = await startTestCheckgw(SESSION_REQUIRED);
    onTestFinished(() => checkgw.close());
    const headers = [
      ["X-Svc-Tool", "payments.refund"],
      ["X-Svc-Agent-Id", "agent-1"],
    ] as const;
    const { status, body } = await checkgw.send({ headers });
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({
      reason: `${SESSION_REQUIRED.reason} (at this adapter: the header X-Svc-Session-Id)`,
    });
  });

  // proves ADP-08
  it("hears from /verdict which member to send", async () => {
    const checkgw = await startTestCheckgw(SESSION_REQUIRED);
    onTestFinished(() => checkgw.close());
    const { body } = await checkgw.send({
      method: "POST",
      target: "/verdict",
      headers: [["Content-Type", "application/json"]],
      body: JSON.stringify({ agent_id: "agent-1", tool: "payments.refund" }),
    });
    expect(JSON.parse(body)).toMatchObject({
      reason: `${SESSION_REQUIRED.reason} (at this adapter: session_id in the body)`,
    });
  });

  // proves ADP-08
  it.each([
    ["portkey", "session_id in the metadata of the request, or the header X-Svc-Session-Id on the hook"],
    ["litellm", "the header X-Svc-Session-Id on the request or on the hook, or a trace id of LiteLLM"],
    ["agentgateway_request", "the header X-Svc-Session-Id on the hook"],
  ] as const)("hears from the webhook of %s", async (dialect, hint) => {
    const bodies = {
      portkey: {
        eventType: "beforeRequestHook",
        requestType: "chatComplete",
        provider: "openai",
        request: { json: { messages: [{ role: "user", content: "hello" }] }, text: "hello" },
        response: {},
        metadata: {},
      },
      litellm: { input_type: "request", texts: ["hello"], structured_messages: [] },
      agentgateway_request: { body: { messages: [{ role: "user", content: "hello" }] } },
    };
    const { passes, answer } = await judgeJson(dialect, bodies[dialect], { decide: SESSION_REQUIRED });
    expect(passes).toBe(false);
    expect(JSON.stringify(answer)).toContain(`(at this adapter: ${hint})`);
  });
});
