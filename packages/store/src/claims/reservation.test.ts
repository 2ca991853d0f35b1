import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addUsage, judgeReservations, sessionKeyText } from "./reservation.ts";
import { reservation } from "../testing/records.ts";

const part = fc.string({ maxLength: 4 });
const key = fc.record({ org: part, agentId: part, sessionId: part });
const count = fc.integer({ min: 0, max: 5 });

describe("judgeReservations", () => {
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
            reservation(session, { ...charge, maxSteps, maxCostMicroUsd }),
          );
          const { verdicts, charged } = judgeReservations(entries, new Map());
          let [steps, cost] = [0, 0];
          for (const [index, charge] of charges.entries()) {
            const fits = steps + charge.steps <= maxSteps && cost + charge.costMicroUsd <= maxCostMicroUsd;
            expect(verdicts[index] === null).toBe(fits);
            if (fits) [steps, cost] = [steps + charge.steps, cost + charge.costMicroUsd];
          }
          const usage = charged.get(sessionKeyText(session)) ?? { steps: 0, costMicroUsd: 0 };
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

  it("E17: a ceiling that is no number refuses", () => {
    const session = { org: "o", agentId: "a", sessionId: "s" };
    const { verdicts } = judgeReservations([reservation(session, { maxSteps: Number.NaN })], new Map());
    expect(verdicts[0]).toMatchObject({ kind: "refused", ceiling: "max_steps" });
  });
});
