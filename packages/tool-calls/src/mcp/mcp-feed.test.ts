import type { JsonObject } from "@svc/text/json-value";
import { describe, expect, it } from "vitest";
import { type McpFeed, readMcpFeed, withFeedArgs } from "./mcp-feed.ts";
import { parseMcpMessage } from "./parse-mcp-message.ts";

function feedOf(members: JsonObject): McpFeed {
  const parsed = parseMcpMessage(Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...members })), 10_000);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  const { message } = parsed;
  if (message.kind === "request" || message.kind === "other") throw new Error(message.kind);
  return message;
}

// proves MCP-19
describe("messages without an answer", () => {
  it.each<JsonObject>([
    { method: "notifications/initialized" },
    { method: "notifications/cancelled", params: { requestId: 1 } },
    { id: 1, result: {} },
  ])("%j asks nothing", (members) => {
    expect(readMcpFeed(feedOf(members))).toBeNull();
  });

  it.each<[JsonObject, string, JsonObject]>([
    [{ id: 1, result: { action: "accept" } }, "mcp.response", { result: { action: "accept" } }],
    [{ id: 1, result: [] }, "mcp.response", { result: [] }],
    [{ id: 1, result: null }, "mcp.response", { result: null }],
    [{ id: 1, error: { code: 1 } }, "mcp.response", { error: { code: 1 } }],
    [{ method: "notifications/x/y" }, "mcp.notifications.x.y", {}],
    [{ method: "notifications/x", params: { a: 1, _meta: {} } }, "mcp.notifications.x", { a: 1 }],
    [{ method: "notifications/initialized " }, "mcp.notifications.initialized ", {}],
  ])("%j is judged as %s", (members, tool, args) => {
    expect(readMcpFeed(feedOf(members))).toEqual({ tool, args });
  });

  it("is rewritten in its own place", () => {
    const notification = feedOf({ method: "notifications/x", params: { a: 1, _meta: { b: 2 } } });
    expect(withFeedArgs(notification, { a: 2 })).toMatchObject({
      value: { params: { a: 2, _meta: { b: 2 } } },
    });
    const answer = feedOf({ id: 1, result: { a: 1 } });
    expect(withFeedArgs(answer, { result: { a: 2 } })).toMatchObject({ value: { id: 1, result: { a: 2 } } });
    expect(withFeedArgs(answer, {})).toMatchObject({ deny: { reason_code: "shaping_unsupported" } });
  });
});
