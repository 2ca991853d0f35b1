import { rowText } from "@svc/audit-log/row-text";
import type { AgentRow, AuditedRegistration } from "@svc/contract/agent-row";
import { AUDIT_ROW_VERSION } from "@svc/contract/audit-row";
import { maskSecretsInIdentifier, maskSecretsInText } from "@svc/engine/mask-secrets";
import type { StoredAgent } from "@svc/store/ports/agent-store";

/** The facts of one change that the registration does not hold. */
export interface AgentChangeFacts
  extends Pick<AgentRow, "org" | "principal" | "time" | "action" | "trigger_source"> {
  readonly session_id?: string;
  readonly reason?: string | undefined;
  readonly actor?: string;
  /** The registration before the change; absent where there was none. */
  readonly before?: StoredAgent;
}

/** Rows that record what is registered. The others name the agent alone. */
const REGISTRATIONS: ReadonlySet<AgentRow["action"]> = new Set([
  "registered",
  "adopted",
  "updated",
  "removed",
]);

/** The audit row of a change of an agent, as text to store. Secrets that people wrote are masked. */
export function agentRow(agent: StoredAgent, facts: AgentChangeFacts): string {
  const { org, principal, time, action, trigger_source, session_id, reason, actor, before } = facts;
  const moved = before !== undefined && before.namespace !== agent.namespace;
  return rowText({
    v: AUDIT_ROW_VERSION,
    kind: "agent",
    org,
    principal,
    time,
    action,
    trigger_source,
    agent_id: maskSecretsInIdentifier(agent.id),
    session_id: session_id === undefined ? null : maskSecretsInIdentifier(session_id),
    namespace: maskSecretsInIdentifier(agent.namespace),
    previous_namespace: moved ? maskSecretsInIdentifier(before.namespace) : null,
    registration: REGISTRATIONS.has(action) ? registrationOf(agent) : null,
    reason: reason === undefined ? null : maskSecretsInText(reason),
    actor: actor === undefined ? null : maskSecretsInText(actor),
    expires_at: agent.quarantine?.expires_at ?? null,
  });
}

function registrationOf(agent: StoredAgent): AuditedRegistration {
  const { name, provider, tags, capabilities, parent_agent_id } = agent;
  return {
    name: maskSecretsInText(name),
    provider: provider === null ? null : maskSecretsInText(provider),
    tags: tags.map(maskSecretsInText),
    capabilities: capabilities.map(maskSecretsInText),
    parent_agent_id: parent_agent_id === null ? null : maskSecretsInIdentifier(parent_agent_id),
  };
}
