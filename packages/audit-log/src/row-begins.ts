/**
 * How rows begin of which there are as many as calls. Members of a row stand in the order of their names, so
 * a row with an `action` begins with it, and no other kind of row begins as these two do.
 */
export const ROW_BEGINS = {
  /** The name of the agent follows, as a JSON text. */
  decision: '{"agent_id":',
  /** Behind the name of the agent, in a row of a decision alone. */
  decisionOn: ',"approval_id":',
  outcome: '{"cost_usd":',
} as const;
