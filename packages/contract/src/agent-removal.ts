import { z } from "zod";
import type { JsonValue } from "./json-value.ts";
import { nearestField, parseWith } from "./parse-with.ts";
import type { Parsed } from "./parsed.ts";
import { sentenceSchema } from "./sentence-schema.ts";

/** Body of `DELETE agents/{id}`, which may have none. */
export const agentRemovalSchema = z
  .strictObject({ reason: sentenceSchema("the reason").optional().describe("Why, for the audit log.") })
  .meta({ id: "AgentRemoval", description: "Why the registration is removed." });
export type AgentRemoval = Readonly<z.infer<typeof agentRemovalSchema>>;

export function parseAgentRemoval(value: JsonValue): Parsed<AgentRemoval> {
  return parseWith(agentRemovalSchema, value, nearestField(["reason"]));
}
