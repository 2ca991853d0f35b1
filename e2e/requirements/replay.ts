import { type Requirement, tested } from "./requirement.ts";

/** What explanations, replays and proposals of recorded decisions promise. */
export const replayRequirements: readonly Requirement[] = [
  tested("EXP-09", "A row keeps the cost that its caller named and the session usage that its decision saw."),
];
