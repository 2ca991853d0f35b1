import { SESSION_REQUIRED } from "@svc/tool-calls/testing/session-required";
import { describe, expect, it } from "vitest";
import { judgeMessage } from "./judge-message.ts";
import { DEFAULT_IDENTITY } from "./routes/default-routes.ts";
import { compilePathTemplate } from "./routes/path-template.ts";

describe("a call without a session that its policy counts", () => {
  // proves ADP-08
  it.each([
    [DEFAULT_IDENTITY.session, "the metadata svc-session-id or the header x-svc-session-id"],
    [[{ kind: "attribute", name: "request.id" }], "the attribute request.id"],
    [[], "this route names no place for it, so name one in the route table"],
  ] as const)("hears where its route reads the session", async (session, hint) => {
    const route = {
      path: compilePathTemplate("/**"),
      methods: ["POST"],
      shape: { kind: "rest", tool: "payments.refund" } as const,
      identity: { ...DEFAULT_IDENTITY, session },
    };
    const identity = { agentId: "agent-1", sessionId: null, namespace: null };
    const parameters = new Map<string, string>();
    const request = { route, identity, method: "POST", query: "", parameters, traceparent: undefined };
    const headers = new Map([["content-type", ["application/json"]]]);
    const { ruling } = await judgeMessage(
      { direction: "request", headers, body: Buffer.from("{}") },
      request,
      { decide: () => Promise.resolve(SESSION_REQUIRED), signal: new AbortController().signal },
    );
    expect(ruling).toMatchObject({
      kind: "refuse",
      verdict: { reason: `${SESSION_REQUIRED.reason} (at this adapter: ${hint})` },
    });
  });
});
