import { describe, expect, it } from "vitest";
import type { SeamAnswer } from "./ask-seam.ts";
import { judgeGuardrail, judgeHttp, judgeMcp } from "./judge-seams.ts";

const PROOF = "svc-doctor-proof-1";

const answered = (status: number, text = "", headers: Record<string, string> = {}): SeamAnswer => ({
  kind: "answered",
  status,
  headers: new Headers(headers),
  text,
});
const SILENT: SeamAnswer = { kind: "silent", why: "connect ECONNREFUSED" };

const REFUSAL = `{"code":-32001,"data":{"reason":"a kill switch stops it: ${PROOF}"}}`;
const MCP_DENY = `{"jsonrpc":"2.0","id":1,"error":${REFUSAL}}`;
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}';
const denied = (code: string): string => `{"error":{"data":{"reason_code":"${code}"}}}`;

// proves CLI-74
describe("judgeMcp", () => {
  it.each([
    ["a deny of the gateway", answered(200, MCP_DENY), PROOF, "ok"],
    ["the same in an event", answered(200, `event: message\ndata: ${MCP_DENY}\n\n`), PROOF, "ok"],
    ["a result", answered(200, RESULT), PROOF, "fail"],
    ["an error of the server itself", answered(200, '{"error":{"code":-32602}}'), PROOF, "fail"],
    ["nothing", answered(200), PROOF, "fail"],
    ["a deny without the gateway", answered(200, denied("gateway_unreachable")), PROOF, "warn"],
    ["a deny for want of an agent", answered(200, denied("agent_unknown")), PROOF, "unknown"],
    ["a deny for another reason", answered(200, denied("tool_denied")), PROOF, "unknown"],
    ["a deny by another switch", answered(200, denied("kill_switch")), PROOF, "unknown"],
    ["a deny while no switch stops the probe", answered(200, MCP_DENY), null, "fail"],
    ["a status that says nothing", answered(400, "no session"), PROOF, "unknown"],
    ["a redirect", answered(302), PROOF, "unknown"],
    ["no answer", SILENT, PROOF, "unknown"],
  ] as const)("calls %s what it is", (_, answer, proof, state) => {
    expect(judgeMcp("seam", { answer, proof }).state).toBe(state);
  });
});

const hookDeny = (code: string): string => `{"decision":"deny","reason_code":"${code}"}`;

// proves CLI-74
describe("judgeHttp", () => {
  it.each([
    ["a deny of the gateway", answered(403, `{"reason":"${PROOF}"}`), "deny", "ok"],
    ["the same in a header", answered(403, "", { "x-svc-reason": PROOF }), "deny", "ok"],
    ["a deny that nothing proves", answered(403, '{"decision":"deny"}'), "none", "unknown"],
    ["a deny in a header alone", answered(403, "", { "x-svc-decision": "deny" }), "none", "unknown"],
    ["a deny that nothing proves but the log", answered(403, '{"decision":"deny"}'), "deny", "ok"],
    ["a deny without the gateway", answered(403, hookDeny("gateway_timeout")), "none", "warn"],
    ["a deny for want of an agent", answered(403, hookDeny("agent_unknown")), "unseen", "unknown"],
    ["a deny for want of a tool", answered(403, hookDeny("request_malformed")), "none", "unknown"],
    ["a deny that a proxy shows as 401", answered(401), "deny", "ok"],
    ["a pass that nobody was asked about", answered(200), "none", "fail"],
    ["a pass that answers like a deny", answered(200, '{"decision":"deny"}'), "none", "fail"],
    ["a pass in spite of a deny", answered(204), "deny", "fail"],
    ["a pass in spite of a pause", answered(200), "pause", "fail"],
    ["a pass that a policy allows", answered(200), "allow", "unknown"],
    ["a pass that cannot be looked up", answered(200), "unseen", "unknown"],
    ["a refusal of somebody else", answered(403, "forbidden"), "none", "unknown"],
    ["a missing page", answered(404), "none", "unknown"],
    ["a missing page of the backend", answered(404), "allow", "unknown"],
    ["no answer", SILENT, "none", "unknown"],
  ] as const)("calls %s what it is", (_, answer, decision, state) => {
    expect(judgeHttp("seam", { answer, proof: PROOF, decision }).state).toBe(state);
  });
});

// proves CLI-74
describe("judgeGuardrail", () => {
  it.each([
    ["a block by the gateway", answered(200, `{"verdict":false,"data":{"reason":"${PROOF}"}}`), PROOF, "ok"],
    ["a pass", answered(200, '{"verdict":true}'), PROOF, "fail"],
    ["a pass with the words of a deny", answered(200, `{"verdict":true,"reason":"${PROOF}"}`), PROOF, "fail"],
    ["a pass while no switch stops the probe", answered(200, '{"verdict":true}'), null, "unknown"],
    ["an error, which callers take for a pass", answered(503), PROOF, "fail"],
    ["no answer, which callers take for a pass", SILENT, PROOF, "fail"],
    ["another page", answered(200, "<html>"), PROOF, "fail"],
    ["a block without the gateway", answered(200, denied("gateway_timeout")), PROOF, "warn"],
  ] as const)("calls %s what it is", (_, answer, proof, state) => {
    expect(judgeGuardrail("seam", { answer, proof }).state).toBe(state);
  });
});

// proves CLI-75
it("names the switch that stops the agent already, and does not ask for another key", () => {
  const text = '{"error":{"data":{"reason_code":"kill_switch","kill_switch_id":"ks_1f0c"}}}';
  const { found, fix } = judgeMcp("seam", { answer: answered(200, text), proof: PROOF });
  expect(found).toBe("kill switch ks_1f0c stops this call already, so the probe proves nothing");
  expect(fix).toBe("svc-cli unkill ks_1f0c ends it; or name another agent with --agent");
  const blocked = answered(200, `{"verdict":false,"data":${denied("quarantined")}}`);
  expect(judgeGuardrail("seam", { answer: blocked, proof: PROOF }).fix).not.toContain("use a key");
});

// proves CLI-80
it.each([
  ["x-svc-tool: expected the name of the tool, found nothing.", "the proxy names no tool for this path"],
  ["No route of this adapter matches the request.", "the proxy names no tool for this path"],
  ["query: expected each name once.", "it cannot read a GET of this path as a call"],
])("says that a path without a tool proves nothing about other calls: %s", (reason, says) => {
  const text = JSON.stringify({ decision: "deny", reason_code: "request_malformed", reason });
  const { state, found, fix } = judgeHttp("seam", {
    answer: answered(403, text),
    proof: PROOF,
    decision: "none",
  });
  expect({ state, found }).toEqual({
    state: "unknown",
    found: `it denies, and the reason is request_malformed: ${says}`,
  });
  expect(fix).toBe("give an address whose path has a tool in your proxy's map");
});
