import type { Verdict } from "@svc/contract/verdict";
import { describe, expect, it } from "vitest";
import { withSessionHint } from "./session-hint.ts";

const reason = "the policy limits sessions, and the call has no session ID: send session_id";
const deny = { decision: "deny", reason, reason_code: "session_required", args_constrained: false } as const;

describe("withSessionHint", () => {
  // proves ADP-08
  it("completes the reason of a deny for want of a session, and replaces the hint of another adapter", () => {
    const once = withSessionHint<Verdict>({ ...deny, fail_closed: false }, "session_id in the body");
    expect(once).toEqual({
      ...deny,
      fail_closed: false,
      reason: `${reason} (at this adapter: session_id in the body)`,
    });
    expect(withSessionHint(once, "the header X")).toMatchObject({
      reason: `${reason} (at this adapter: the header X)`,
    });
  });

  it("leaves every other verdict as it is", () => {
    const others: Verdict[] = [
      { ...deny, reason_code: "max_steps", fail_closed: false },
      { decision: "allow", decision_id: "gw_x.1", args_constrained: false },
    ];
    for (const verdict of others) expect(withSessionHint(verdict, "the header X")).toBe(verdict);
  });
});
