import { z } from "zod";
import { DEFAULT_BEHAVIOUR } from "./default-behaviour.ts";

/** Largest count of a threshold of behaviour, as count: more than an agent calls in a minute. */
const MAX_BEHAVIOUR_COUNT = 100_000;

/** Largest multiple of an agent's usual minute that a threshold names, as a ratio. */
const MAX_BEHAVIOUR_FACTOR = 1_000;

const count = (what: string) => {
  const bounds = `from 2 to ${String(MAX_BEHAVIOUR_COUNT)}`;
  const error = `expected a number of ${what} ${bounds}, or null to switch it off`;
  return z.int({ error }).min(2, { error }).max(MAX_BEHAVIOUR_COUNT, { error }).nullable();
};

const FACTOR_EXPECTATION =
  `expected a factor from 2 to ${String(MAX_BEHAVIOUR_FACTOR)}, ` + "or null to switch it off";
const factor = () =>
  z
    .number({ error: FACTOR_EXPECTATION })
    .min(2, { error: FACTOR_EXPECTATION })
    .max(MAX_BEHAVIOUR_FACTOR, { error: FACTOR_EXPECTATION })
    .nullable();

/** When the calls of an agent count as unusual. Null: never, for this reason. */
export const behaviourSchema = z
  .strictObject(
    {
      repeated_calls: count("identical calls in a minute")
        .default(DEFAULT_BEHAVIOUR.repeated_calls)
        .describe("Identical calls of a session in a minute."),
      denied_retries: count("repeats of a denied call")
        .default(DEFAULT_BEHAVIOUR.denied_retries)
        .describe("Repeats within ten minutes of a call that a policy has denied."),
      deny_storm: count("denied calls in a minute")
        .default(DEFAULT_BEHAVIOUR.deny_storm)
        .describe("Denied calls of an agent in a minute, when they are at least half of its calls."),
      rule_denies: count("denied calls in a minute")
        .default(DEFAULT_BEHAVIOUR.rule_denies)
        .describe("Calls of an agent in a minute that one rule denies."),
      burst_factor: factor()
        .default(DEFAULT_BEHAVIOUR.burst_factor)
        .describe("Calls in a minute, as a multiple of the agent's usual minute."),
      new_tool_after_calls: count("calls")
        .default(DEFAULT_BEHAVIOUR.new_tool_after_calls)
        .describe("Calls of an agent after which a tool that it never called before is unusual."),
    },
    { error: "expected an object" },
  )
  .meta({ id: "BehaviourSettings" });

export type BehaviourSettings = Readonly<z.output<typeof behaviourSchema>>;
