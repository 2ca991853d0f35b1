import { type Requirement, tested } from "./requirement.ts";

/** What the drills promise: they find what is broken, and never pass what they did not measure. */
export const drillRequirements: readonly Requirement[] = [
  tested(
    "DRILL-01",
    "drill kill finds a gateway that lets a call go on after an acknowledged kill, or too long.",
  ),
  tested("DRILL-02", "drill partition finds a gateway that allows after its lease, or is called enforced."),
  tested(
    "DRILL-03",
    "drill crash finds a lost row, a broken chain, a late takeover and a switch that ended twice.",
  ),
  tested("DRILL-04", "drill slow-database finds answers that come too late."),
  tested("DRILL-05", "A drill that could not measure something, or ended early, does not pass."),
  tested("DRILL-06", "A drill signs its report, and a changed report does not verify."),
  tested("DRILL-07", "A drill of a deployment asks before, stops no real agent, and always ends its switch."),
  tested("DRILL-08", "A drill that breaks things refuses a deployment, and says what to use instead."),
];
