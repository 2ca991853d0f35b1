import { z } from "zod";
import { identifierSchema } from "./identifier.ts";
import type { JsonValue } from "./json-value.ts";
import { nearestField, parseWith } from "./parse-with.ts";
import type { Parsed } from "./parsed.ts";

/** A request to bind a policy to one agent or one namespace; exactly one of the two is set. */
export interface PolicyAssignmentRequest {
  readonly policy_id: string;
  readonly agent_id: string | null;
  readonly namespace_id: string | null;
}

export interface RollbackRequest {
  readonly target_version: number;
}

/** Body of `POST policy-assignments`. */
export const policyAssignmentSchema = z
  .strictObject({
    policy_id: identifierSchema,
    agent_id: identifierSchema.nullable().default(null),
    namespace_id: identifierSchema.nullable().default(null),
  })
  .refine((body) => (body.agent_id === null) !== (body.namespace_id === null), {
    path: ["agent_id"],
    error: "expected exactly one of agent_id and namespace_id",
  });

/** Body of `POST policies/{id}/rollback`. */
export const rollbackSchema = z.strictObject({
  target_version: z
    .int({ error: "expected a version number" })
    .min(1, { error: "expected a version number from 1" }),
});

export function parsePolicyAssignment(value: JsonValue): Parsed<PolicyAssignmentRequest> {
  return parseWith(policyAssignmentSchema, value, nearestField(["policy_id", "agent_id", "namespace_id"]));
}

export function parseRollback(value: JsonValue): Parsed<RollbackRequest> {
  return parseWith(rollbackSchema, value, nearestField(["target_version"]));
}
