import type { DecideOptions } from "@svc/contract/decide";
import { failClosedDeny } from "@svc/contract/verdict";
import { describe, expect, it } from "vitest";
import { inTrace, namedTrace } from "./in-trace.ts";

const TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const CALL = { agent_id: "a", tool: "t", args: {}, session_id: null, namespace: null, cost_micro_usd: null };

describe("namedTrace", () => {
  it.each([
    { headers: undefined, named: undefined },
    { headers: [TRACE], named: TRACE },
    { headers: [TRACE, TRACE], named: undefined },
    { headers: [TRACE.toUpperCase()], named: undefined },
    { headers: [`${TRACE}\r\nx-svc-agent-id: b`], named: undefined },
    { headers: ["00-00000000000000000000000000000000-00f067aa0ba902b7-01"], named: undefined },
    { headers: ["ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"], named: undefined },
  ])("reads $headers as $named", ({ headers, named }) => {
    expect(namedTrace(headers)).toBe(named);
  });
});

describe("inTrace", () => {
  it("adds the trace to what the caller asks for", async () => {
    const asked: (DecideOptions | undefined)[] = [];
    const decide = inTrace((_, options) => {
      asked.push(options);
      return Promise.resolve(failClosedDeny("internal_error", "Test."));
    }, TRACE);
    await decide(CALL, { idempotencyKey: "k" });
    await decide(CALL);
    expect(asked).toEqual([{ idempotencyKey: "k", traceparent: TRACE }, { traceparent: TRACE }]);
  });
});
