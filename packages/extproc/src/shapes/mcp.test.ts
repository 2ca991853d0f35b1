import { describe, expect, it } from "vitest";
import { DEFAULT_IDENTITY } from "../routes/default-routes.ts";
import { compilePathTemplate } from "../routes/path-template.ts";
import type { GovernedRequest } from "../routes/plan-request.ts";
import { parseMcp } from "./mcp.ts";

const SHAPE = { kind: "mcp", serverId: "files", paramHeaders: new Map() } as const;
const REQUEST: GovernedRequest = {
  route: {
    path: compilePathTemplate("/**"),
    methods: ["POST"],
    shape: SHAPE,
    identity: DEFAULT_IDENTITY,
  },
  identity: { agentId: "agent-1", sessionId: null, namespace: null },
  method: "POST",
  query: "",
  parameters: new Map(),
  traceparent: undefined,
};

const parse = (members: object) => {
  const message = {
    direction: "request",
    headers: new Map([["content-type", ["application/json"]]]),
    body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...members })),
  } as const;
  return parseMcp(message, REQUEST, SHAPE);
};

const ACCEPT = { action: "accept", content: { amount: 5000 } };

// proves MCP-19
describe("messages of MCP that get no answer", () => {
  it.each([
    [{ id: 7, result: ACCEPT }, "files.mcp.response", { result: ACCEPT }],
    [{ id: 7, error: { code: -1 } }, "files.mcp.response", { error: { code: -1 } }],
    [{ method: "notifications/x/feed", params: { a: 1 } }, "files.mcp.notifications.x.feed", { a: 1 }],
  ])("%j is judged as %s", (members, tool, args) => {
    expect(parse(members)).toMatchObject({ value: { calls: [{ tool, args }] } });
  });

  it.each([{ id: 7, result: {} }, { method: "notifications/initialized" }])("%j asks nothing", (members) => {
    expect(parse(members)).toMatchObject({ ok: true, value: { calls: [] } });
  });

  it("goes on as the policy rewrote it", () => {
    const parsed = parse({ id: 7, result: ACCEPT });
    const forwarded = parsed.ok ? parsed.value.forward([{ result: { action: "decline" } }]) : parsed;
    const body = forwarded.ok ? Buffer.from(forwarded.value.body ?? []).toString() : "";
    expect(JSON.parse(body)).toEqual({ jsonrpc: "2.0", id: 7, result: { action: "decline" } });
  });
});
