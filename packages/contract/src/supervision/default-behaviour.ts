/** The `BehaviourSettings` of every namespace that has none of its own. */
export const DEFAULT_BEHAVIOUR = {
  repeated_calls: 20,
  denied_retries: 5,
  deny_storm: 30,
  rule_denies: 20,
  burst_factor: 10,
  new_tool_after_calls: 1_000,
} as const;
