/** What behaviour is reported as an anomaly: closed list, stable, for machines. */
export const ANOMALIES = [
  "identical_call_repeated",
  "call_burst",
  "deny_storm",
  "tool_never_seen",
  "denied_call_retried",
  "call_after_end",
  "outcome_without_decision",
  "outcome_missing",
  "policy_violations",
] as const;
export type Anomaly = (typeof ANOMALIES)[number];
