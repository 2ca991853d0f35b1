import { runs } from "@svc/text/testing/runs";
import { describe, expect, it } from "vitest";
import { simulateDay } from "./testing/simulate-day.ts";

const DAYS = runs(2, 2_000);

const PLAN = { agents: 1_000, seconds: 24 * 60 * 60 };

/** Milliseconds that one day may take beside other tests. */
const DAY_LIMIT_MS = 20_000;

describe("a day of 1,000 agents that fall silent, recover, lose parents and outlive leaders", () => {
  it(
    `takes the steps of the reference model, whatever happens: ${String(DAYS)} seeds`,
    async () => {
      for (let seed = 1; seed <= DAYS; seed += 1) {
        const { difference, emergencies, kills, steps } = await simulateDay(seed, PLAN);
        expect(difference).toBeNull();
        expect(kills, `seed ${String(seed)}`).toBe(emergencies);
        expect(steps).toBeGreaterThan(1_000);
      }
    },
    DAYS * DAY_LIMIT_MS,
  );
});
