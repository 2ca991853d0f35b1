import type { Verdict } from "@svc/contract/verdict";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { printDecisions } from "./print-decisions.ts";

const CALL = { agent_id: "agent-1", tool: "pay.refund" };
const ALLOW: Verdict = { decision: "allow", decision_id: "gw.1", args_constrained: false };
const DENY: Verdict = {
  decision: "deny",
  reason: "the rule big denies this call",
  reason_code: "rule",
  rule_id: "big",
  args_constrained: false,
  fail_closed: false,
};

beforeEach(() => void vi.useFakeTimers({ now: new Date("2026-01-01T10:00:00.000Z") }));
afterEach(() => void vi.useRealTimers());

function setUp() {
  const printed: string[] = [];
  const onVerdict = printDecisions({ print: (text) => void printed.push(text), now: () => new Date() });
  return { printed, onVerdict };
}

// proves OPS-19
it("prints one line per decision: time, decision, agent, tool, rule and reason", () => {
  const { printed, onVerdict } = setUp();
  onVerdict(CALL, ALLOW);
  onVerdict(CALL, DENY);
  const would_be = {
    decision: "pause",
    reason: "ask",
    reason_code: "approval_required",
    rule_id: null,
  } as const;
  onVerdict(CALL, { ...ALLOW, would_be });
  expect(printed).toEqual([
    "10:00:00  allow  agent-1  pay.refund\n",
    "10:00:00  deny   agent-1  pay.refund  [big]  the rule big denies this call\n",
    "10:00:00  allow  agent-1  pay.refund  would be pause: ask\n",
  ]);
});

// proves OPS-19
it("prints at most 20 lines a second, and how many more there were", () => {
  const { printed, onVerdict } = setUp();
  for (let n = 0; n < 1_000; n += 1) onVerdict(CALL, ALLOW);
  expect(printed).toHaveLength(20);
  vi.advanceTimersByTime(1_000);
  expect(printed.slice(20)).toEqual(["10:00:00  980 more decisions\n"]);
  onVerdict(CALL, ALLOW);
  expect(printed.at(-1)).toBe("10:00:01  allow  agent-1  pay.refund\n");
});

// proves OPS-91
it("keeps control characters of a reason away from the terminal, and cuts it", () => {
  const { printed, onVerdict } = setUp();
  onVerdict(CALL, { ...DENY, reason: `\u001b[2J\n\u202e${"x".repeat(500)}` });
  expect(printed[0]?.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(printed[0]?.length).toBeLessThan(200);
});
