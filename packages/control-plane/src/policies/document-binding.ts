import type { PolicyAssignmentRecord } from "@svc/contract/policy-record";
import type { CompiledPolicy } from "@svc/engine/compiled-policy";
import type { NewId } from "../ports.ts";

interface BindingFacts {
  readonly newId: NewId;
  readonly createdAt: string;
  readonly createdBy: string;
}

/** The binding that a document's own `agent_id` asks for; null when it names none. */
export function documentBinding(
  { id, agentId }: CompiledPolicy,
  { newId, createdAt, createdBy }: BindingFacts,
): PolicyAssignmentRecord | null {
  if (agentId === null) return null;
  return {
    id: newId("asg"),
    policy_id: id,
    agent_id: agentId,
    namespace_id: null,
    created_at: createdAt,
    created_by: createdBy,
  };
}
