import { renderExecuteBody } from "@svc/contract/execute-body";
import { MAX_NAME_BYTES } from "@svc/contract/limits";
import { MAX_BODY_BYTES, MAX_COST_MICRO_USD } from "@svc/text/limits";
import { describe, expect, it } from "vitest";
import { MAX_ARGS_BYTES, readCall, type WireCall } from "./read-call.ts";

const CALL: WireCall = { agentId: "a", namespace: null, sessionId: null, tool: "t", args: {} };

/** Arguments of so many bytes as JSON. */
function argsOf(bytes: number): WireCall["args"] {
  return { x: "y".repeat(bytes - '{"x":""}'.length) };
}

describe("a call as an adapter reads it", () => {
  it("leaves out what the wire does not say", () => {
    expect(readCall(CALL)).toMatchObject({ ok: true, value: { agent_id: "a", tool: "t", args: {} } });
    const whole = readCall({ ...CALL, namespace: "n", sessionId: "s", args: { b: 1 } });
    expect(whole).toMatchObject({ ok: true, value: { namespace: "n", session_id: "s", args: { b: 1 } } });
  });

  it.each<[string, Partial<WireCall>, string]>([
    ["a tool that is not an identifier", { tool: "a b " }, "/tool"],
    ["an agent that is not an identifier", { agentId: "" }, "/agent_id"],
    ["a session that is not an identifier", { sessionId: "\0" }, "/session_id"],
    ["a namespace that is not an identifier", { namespace: "n " }, "/namespace"],
    ["arguments that are too large", { args: argsOf(MAX_ARGS_BYTES + 1) }, "/args"],
  ])("is refused: %s", (_, change, where) => {
    const deny = { decision: "deny", reason_code: "request_malformed", fail_closed: true };
    const call = readCall({ ...CALL, ...change });
    expect(call).toMatchObject({ ok: false, deny });
    expect(JSON.stringify(call)).toContain(`${where}: expected`);
  });

  it("takes the largest arguments, and the gateway takes the question with the longest names", () => {
    for (const [character, length, less] of [
      ["n", 128, 0],
      ["n", MAX_NAME_BYTES, 512],
      ["\\", MAX_NAME_BYTES, 1536],
    ] as const) {
      const name = character.repeat(length);
      const names = { agentId: name, namespace: name, sessionId: name, tool: name };
      const call = readCall({ ...names, args: argsOf(MAX_ARGS_BYTES - less) });
      if (!call.ok) throw new Error(call.deny.reason);
      const dearest = { ...call.value, cost_micro_usd: MAX_COST_MICRO_USD - 1 };
      expect(Buffer.byteLength(renderExecuteBody(dearest))).toBeLessThanOrEqual(MAX_BODY_BYTES);
      expect(readCall({ ...names, args: argsOf(MAX_ARGS_BYTES - less + 1) }).ok).toBe(false);
    }
  });
});
