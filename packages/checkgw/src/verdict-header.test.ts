import type { DenyVerdict, PauseVerdict } from "@svc/contract/verdict";
import fc from "fast-check";
import { expect, it } from "vitest";
import { verdictHeader } from "./verdict-header.ts";

const DENY: DenyVerdict = {
  decision: "deny",
  decision_id: "g.2",
  args_constrained: false,
  reason: 'Refunds above "100 \u20ac" \\ are\r\ndenied.',
  reason_code: "rule",
  rule_id: "cap",
  fail_closed: false,
};
const PAUSE: PauseVerdict = {
  decision: "pause",
  decision_id: "g.3",
  args_constrained: false,
  reason: "A person must agree.",
  reason_code: "approval_required",
  approval_url: "https://svc.example/approvals/1",
};

// proves CHK-15
it("a deny is its members, the reason in ASCII", () => {
  expect(JSON.parse(verdictHeader(DENY))).toEqual({
    ...DENY,
    reason: 'Refunds above "100 ?" \\ are??denied.',
  });
});

it("a pause names its approval URL, unless that makes it too long", () => {
  expect(JSON.parse(verdictHeader(PAUSE))).toEqual(PAUSE);
  const { approval_url: _, ...rest } = PAUSE;
  const long = { ...PAUSE, approval_url: `https://svc.example/${"x".repeat(3_000)}` };
  expect(JSON.parse(verdictHeader(long))).toEqual(rest);
});

it("whatever the reason and the names are, it is one short line of printable ASCII that says deny", () => {
  const text = fc.string({ unit: "binary", maxLength: 5_000 });
  fc.assert(
    fc.property(text, text, text, (reason, id, rule) => {
      const header = verdictHeader({ ...DENY, reason, decision_id: id, rule_id: rule });
      expect(header).toMatch(/^[\x20-\x7e]{1,1536}$/);
      expect(JSON.parse(header)).toMatchObject({ decision: "deny" });
    }),
  );
});
