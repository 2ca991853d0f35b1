import { refusedBody } from "@svc/http-edge/testing/refused-body";
import { expect, it } from "vitest";
import { startTestMcpProxy } from "./testing/start-mcp-proxy.ts";

// proves FAIR-16
it("a message that the budget of the process refuses gets 503, and no call is judged", async () => {
  const proxy = await startTestMcpProxy();
  const accept = "Accept: application/json, text/event-stream";
  const { statuses, text } = await refusedBody(proxy.port, "/mcp", [accept]);
  expect(statuses).toEqual([503]);
  expect(text).toContain("too many bodies are being received at once");
  expect(proxy.asked).toEqual([]);
  await proxy.close();
});
