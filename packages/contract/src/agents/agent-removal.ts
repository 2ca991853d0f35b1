import type { JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";
import { sentenceSchema } from "../fields/sentence-schema.ts";

/** Body of `DELETE agents/{id}`, which may have none. */
export const agentRemovalSchema = z
  .strictObject({ reason: sentenceSchema("the reason").optional().describe("Why, for the audit log.") })
  .meta({ id: "AgentRemoval", description: "Why the registration is removed." });
export type AgentRemoval = Readonly<z.infer<typeof agentRemovalSchema>>;

export function parseAgentRemoval(value: JsonValue): Parsed<AgentRemoval> {
  return parseWith(agentRemovalSchema, value, nearestField(["reason"]));
}
