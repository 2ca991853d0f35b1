/** The input of every module, for OPA's type checker: a reference to anything else is an error. */
export const INPUT_SCHEMA = {
  $schema: "http://json-schema.org/draft-07/schema",
  type: "object",
  additionalProperties: false,
  properties: {
    tool: { type: "string" },
    args: { type: "object", additionalProperties: true },
    agent_id: { type: "string" },
    session_id: { type: "string" },
    namespace: { type: "string" },
    /** RFC 3339, in UTC. */
    time: { type: "string" },
    session: {
      type: "object",
      additionalProperties: false,
      properties: { steps: { type: "number" }, cost_usd: { type: "number" } },
    },
  },
} as const;
