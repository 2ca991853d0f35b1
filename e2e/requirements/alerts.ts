import { type Requirement, tested } from "./requirement.ts";

/** Conditions that somebody has to look at. */
export const alertRequirements: readonly Requirement[] = [
  tested("ALERT-01", "Of a condition and what it is about, at most one alert is not resolved."),
  tested(
    "ALERT-02",
    "Each condition of the runbook opens an alert of its organization; one of the server, of the first one.",
  ),
  tested("ALERT-03", "An alert is resolved by itself when its condition has ended, and does not flap."),
  tested(
    "ALERT-04",
    "What is not known, a pause of the process and a clock that jumps open and close no alert.",
  ),
  tested("ALERT-05", "Opening, acknowledging and resolving an alert are rows of the audit log."),
  tested("ALERT-06", "Many denies of one agent by one rule within a minute are an anomaly and an alert."),
  tested("ALERT-08", "svc-cli alerts lists alerts and acknowledges one."),
  tested(
    "ALERT-09",
    "An alert says what its condition is true of now: a worse severity at once, with a row.",
  ),
  tested("ALERT-07", "A restart and a change of the leading process open no alert twice and lose no end."),
];
