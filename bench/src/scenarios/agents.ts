import { atMost, figure } from "../figure.ts";
import type { Scenario } from "../scenario.ts";
import { ratios } from "../statistics.ts";
import { takeTurns } from "../take-turns.ts";
import { decider, USUAL } from "./decide.ts";

/** As many agents as an organization can register. */
const MANY = { ...USUAL, registered: 100_000, severities: 10_000 };

export const agents: Scenario = {
  name: "agents",
  title: "Deciding a call and writing its row's text, without HTTP and disk, as agents are registered",
  run: async ({ rounds }) => {
    const sides = [
      await decider(USUAL),
      await decider({ ...MANY, isCallerRegistered: true }),
      await decider(MANY),
    ];
    await takeTurns(1, sides);
    const [none = [], registered = [], others = []] = await takeTurns(rounds, sides);
    const figures = [
      figure(
        "100,000 agents, the caller among them, and 10,000 severities to none",
        "ratio",
        ratios(registered, none),
        atMost(1.03),
      ),
      figure(
        "100,000 other agents and 10,000 severities to none",
        "ratio",
        ratios(others, none),
        atMost(1.03),
      ),
      figure("one decision without registered agents", "ns", none),
    ];
    const note = "one agent calls; its calls name no session above INFO";
    return { kind: "measured", figures, notes: [note] };
  },
};
