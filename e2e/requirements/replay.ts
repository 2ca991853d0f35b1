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
  tested("REP-01", "Recorded calls are decided again under a document or a version, on both stores."),
  tested("REP-02", "A replay rebuilds what each session has used from what the candidate allows."),
  tested("REP-03", "The same calls under the same candidate give the same result, with the same digest."),
  tested("REP-04", "A decision that depends on a mask is counted as undecided, and never as unchanged."),
  tested("REP-05", "Under the policy that decided them, recorded decisions do not change."),
  tested("REP-06", "A cancelled replay has no result, and its end is final."),
  tested("REP-07", "Replays and their results are kept, for their organization alone."),
  tested(
    "REP-08",
    "A replay whose process ended begins again with it; after three ends it has failed, with the reason.",
  ),
  tested("REP-09", "Replays are bounded in number, rows and sessions, and take turns."),
  tested("REP-10", "Calls are answered while a replay runs, whatever its candidate."),
  tested("REP-11", "A replay that cannot be carried out is refused by name."),
  tested("LEAST-01", "A proposed policy is valid, and denies nothing that ran."),
  tested("LEAST-02", "A proposed policy allows no tool that did not run."),
  tested("LEAST-03", "A proposal shows what arguments were, and no masked value or secret."),
  tested("LEAST-04", "A proposal lists grants of the present policy that no call used."),
  tested("LEAST-05", "A proposal goes by the policy that governs the agent, also through its namespace."),
  tested("REP-13", "docs/ROLLOUT.md takes a policy from audit_only to enforcement, as commands that run."),
  tested("REP-12", "Recorded rows are read by number and found by time, on both stores."),
];
