import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Claims } from "../ports/claims.ts";
import { counters, entry } from "../testing/records.ts";
import { NO_APPROVALS } from "./approval.ts";
import { addUsage, sessionKeyText } from "./counters.ts";
import { NO_HELD_CALLS } from "./held-call.ts";
import { judgeClaims } from "./judge-claims.ts";

const part = fc.string({ maxLength: 4 });
const key = fc.record({ org: part, agentId: part, sessionId: part });
const count = fc.integer({ min: 0, max: 5 });

const FIRST = { logId: "log", seq: 0 };
const NOTHING = {
  usages: new Map(),
  grants: new Map(),
  approvals: NO_APPROVALS,
  heldCalls: NO_HELD_CALLS,
  keys: new Map(),
};

const judge = (claims: readonly Claims["counters"][]) =>
  judgeClaims(
    claims.map((made) => entry("{}", { counters: made })),
    NOTHING,
    FIRST,
  );

describe("counters of a batch", () => {
  it("E13: different keys have different texts", () => {
    fc.assert(
      fc.property(key, key, (a, b) => {
        const same = a.org === b.org && a.agentId === b.agentId && a.sessionId === b.sessionId;
        expect(sessionKeyText(a) === sessionKeyText(b)).toBe(same);
      }),
    );
  });

  it("E16: no sum passes its ceiling, and nothing that fits is refused", () => {
    const session = { org: "o", agentId: "a", sessionId: "s" };
    fc.assert(
      fc.property(
        fc.array(fc.record({ steps: count, costMicroUsd: count }), { maxLength: 30 }),
        count,
        count,
        (charges, maxSteps, maxCostMicroUsd) => {
          const entries = charges.map((charge) =>
            counters(session, { ...charge, maxSteps, maxCostMicroUsd }),
          );
          const { verdicts, taken } = judge(entries);
          let [steps, cost] = [0, 0];
          for (const [index, charge] of charges.entries()) {
            const fits = steps + charge.steps <= maxSteps && cost + charge.costMicroUsd <= maxCostMicroUsd;
            expect(verdicts[index] === null).toBe(fits);
            if (fits) [steps, cost] = [steps + charge.steps, cost + charge.costMicroUsd];
          }
          const charged = taken.counters.charged.get(sessionKeyText(session));
          const usage = charged?.usage ?? { steps: 0, costMicroUsd: 0 };
          expect(usage).toEqual({ steps, costMicroUsd: cost });
        },
      ),
    );
  });

  it("E17: a sum never wraps, rounds or falls below zero", () => {
    const huge = { steps: Number.MAX_SAFE_INTEGER, costMicroUsd: Number.MAX_SAFE_INTEGER };
    expect(addUsage(huge, huge)).toEqual(huge);
    expect(addUsage({ steps: 1, costMicroUsd: 1 }, { steps: -2, costMicroUsd: -2 })).toEqual({
      steps: 0,
      costMicroUsd: 0,
    });
  });

  it("E17: a ceiling that is not a number refuses", () => {
    const session = { org: "o", agentId: "a", sessionId: "s" };
    const { verdicts } = judge([counters(session, { maxSteps: Number.NaN })]);
    expect(verdicts[0]).toMatchObject({ kind: "refused", ceiling: "max_steps" });
  });

  it("takes all counters of an entry or none, and refuses an entry that names one twice", () => {
    const [a, b] = ["a", "b"].map((sessionId) => ({ org: "o", agentId: "a", sessionId }));
    if (a === undefined || b === undefined) throw new Error("expected two sessions");
    const both = [...counters(a, { maxSteps: 2 }), ...counters(b, { maxSteps: 1 })];
    const { verdicts, taken } = judge([both, both, counters(a, { maxSteps: 2 })]);
    expect(verdicts).toEqual([
      null,
      { kind: "refused", ceiling: "max_steps", usage: { steps: 1, costMicroUsd: 0 } },
      null,
    ]);
    const steps = [a, b].map((session) => taken.counters.charged.get(sessionKeyText(session))?.usage.steps);
    expect(steps).toEqual([2, 1]);
    expect(() => judge([[...counters(a), ...counters(a)]])).toThrow("an entry claims a counter twice");
  });
});
