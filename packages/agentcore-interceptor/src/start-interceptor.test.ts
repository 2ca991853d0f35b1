import { describe, expect, it } from "vitest";
import { startInterceptor } from "./start-interceptor.ts";
import { answeredOf, eventOf, forwardedOf } from "./testing/events.ts";

const USABLE = { SVC_AGENTCORE_CHECKGW_URL: "http://127.0.0.1:9", SVC_AGENT_ID: "agent-1" };
const LIST = { jsonrpc: "2.0", id: 7, method: "tools/list" };

describe("startInterceptor", () => {
  it("works with an address and an agent", async () => {
    const lines: string[] = [];
    const handler = startInterceptor(USABLE, (line) => lines.push(line));
    expect(forwardedOf(await handler(eventOf(LIST)))).toEqual(LIST);
    expect(lines).toEqual([]);
  });

  const unusable: readonly (readonly [string, object])[] = [
    ["SVC_AGENTCORE_CHECKGW_URL", { SVC_AGENTCORE_CHECKGW_URL: "" }],
    ["SVC_AGENTCORE_CHECKGW_URL", { SVC_AGENTCORE_CHECKGW_URL: "checkgw:9004" }],
    ["SVC_AGENT_ID", { SVC_AGENT_ID: "" }],
    ["SVC_AGENT_ID", { SVC_AGENT_ID: "*" }],
    ["SVC_NAMESPACE", { SVC_NAMESPACE: "a*b" }],
    ["SVC_AGENTCORE_AGENT_HEADER", { SVC_AGENTCORE_AGENT_HEADER: "x agent" }],
    ["SVC_AGENTCORE_TOOL_NAMES", { SVC_AGENTCORE_TOOL_NAMES: "raw" }],
    ["SVC_AGENTCORE_STRICT", { SVC_AGENTCORE_STRICT: "1" }],
    ["SVC_DECISION_TIMEOUT_MS", { SVC_DECISION_TIMEOUT_MS: "5s" }],
  ];
  it.each(unusable)(
    "AGC-03: a malformed %s denies everything and is told in the log: %j",
    async (name, env) => {
      const lines: string[] = [];
      const handler = startInterceptor({ ...USABLE, ...env }, (line) => lines.push(line));
      expect(lines.join("")).toContain(name);
      for (const message of [undefined, LIST]) {
        const output = await handler(eventOf(message));
        expect(answeredOf(output)).toMatchObject({ id: 7, error: { code: 503_001 } });
      }
    },
  );
});
