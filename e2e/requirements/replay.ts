import { type Requirement, tested } from "./requirement.ts";

/** What explanations, replays and proposals of recorded decisions promise. */
export const replayRequirements: readonly Requirement[] = [
  tested("EXP-01", "A recorded decision is made again from its row and the policy version of its time."),
  tested("EXP-02", "An explanation goes by the kill switches of the time of the decision."),
  tested("EXP-03", "An explanation lists every rule with the values that it saw, lists, ceilings and mode."),
  tested("EXP-04", "Where a mask hides what a condition read, an explanation says so and claims nothing."),
  tested("EXP-05", "A decision that cannot be reached again is reported as a defect, counted and logged."),
  tested("EXP-06", "A counterfactual changes the decision when it is made."),
  tested("EXP-07", "Switches, ceilings, pauses and what no policy decided are each explained in words."),
  tested("EXP-08", "An explanation says whether the decision was withdrawn."),
  tested("EXP-09", "A row keeps the cost that its caller named and the session usage that its decision saw."),
  tested(
    "EXP-10",
    "A decision is explained to keys that may read the log of its organization, and to no other.",
  ),
  tested("REP-12", "Recorded rows are read by number and found by time, on both stores."),
];
