import { expect, it } from "vitest";
import { planFaults, WHOLE } from "./plan.ts";

const GATEWAYS = ["gw-1", "gw-2", "gw-3"];

it("gives the same plan for the same seed, and another one for another seed", () => {
  expect(planFaults(WHOLE, GATEWAYS, 7)).toEqual(planFaults(WHOLE, GATEWAYS, 7));
  expect(planFaults(WHOLE, GATEWAYS, 7)).not.toEqual(planFaults(WHOLE, GATEWAYS, 8));
});

it("plans as many faults of each kind as were asked for, at most one for each target at a time", () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const rounds = planFaults(WHOLE, GATEWAYS, seed);
    const counts = Object.groupBy(rounds.flat(), ({ act }) => act.kind);
    expect(Object.entries(counts).map(([kind, faults]) => [kind, faults.length])).toEqual(
      expect.arrayContaining([
        ["partition", 200],
        ["SIGSTOP", 50],
        ["kill -9", 50],
        ["database restart", 20],
        ["database freeze", 20],
      ]),
    );
    for (const round of rounds) expect(new Set(round.map(({ target }) => target)).size).toBe(round.length);
    const stops = (counts["SIGSTOP"] ?? []).map(({ act }) => ("durationMs" in act ? act.durationMs : 0));
    expect(Math.min(...stops)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...stops)).toBeLessThanOrEqual(10_000);
  }
});
