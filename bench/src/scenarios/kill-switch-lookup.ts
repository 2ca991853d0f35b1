import { KillSwitchIndex, type KillTarget } from "@svc/gateway/kill-switch-index";
import { benchmarkSwitch } from "../benchmark-switch.ts";
import type { Scenario } from "../scenario.ts";
import { compareLookups } from "./compare-lookups.ts";

const FEW = 10;
const MANY = 100_000;

/** Different calls, as count. */
const CALLS = 1_000;

export const killSwitchLookup: Scenario = {
  name: "kill-switch-lookup",
  title: "The lookup of kill switches alone, from 10 to 100,000 active ones",
  run: async ({ rounds }) => {
    const figures = await compareLookups({
      rounds,
      name: "calls that no switch stops, 100,000 switches to 10",
      few: missingLookup(FEW),
      many: missingLookup(MANY),
    });
    return {
      kind: "measured",
      figures,
      notes: ["one lookup is four look-ups in hash tables, all of them misses"],
    };
  },
};

function missingLookup(switches: number): (at: number) => unknown {
  const index = new KillSwitchIndex();
  for (let at = 0; at < switches; at += 1) index.apply("default", benchmarkSwitch(at));
  if (index.size !== switches) throw new Error(`expected ${switches} switches, found ${index.size}`);
  const targets = Array.from({ length: CALLS }, (_, at) => target(at));
  const first = targets[0] ?? target(0);
  if (index.match(first) !== null) throw new Error("a switch stops the benchmark's call");
  return (at) => index.match(targets[at % CALLS] ?? first);
}

function target(at: number): KillTarget {
  return {
    org: "default",
    namespace: `team-${at % 20}`,
    agentId: `agent-${at % 200}`,
    sessionId: `session-${at}`,
    tool: `payments.action-${at % 50}`,
  };
}
