import { atMost, figure } from "../figure.ts";
import type { Scenario } from "../scenario.ts";
import { ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";
import { decider, USUAL } from "./decide.ts";

export const agents: Scenario = {
  name: "agents",
  title: "Deciding a call and writing its row's text, without HTTP and disk, as agents are registered",
  run: async ({ rounds }) => {
    const sides = [
      await decider(USUAL),
      await decider({ ...USUAL, registered: 100_000, severities: 10_000 }),
    ];
    await takeTurns(1, sides);
    const [none = [], many = []] = await takeTurns(rounds, sides);
    const figures = [
      figure("100,000 agents and 10,000 severities to none", "ratio", ratios(many, none), atMost(1.03)),
      figure("one decision without registered agents", "ns", none),
    ];
    return { kind: "measured", figures, notes: ["the agents that call are not registered"] };
  },
};
