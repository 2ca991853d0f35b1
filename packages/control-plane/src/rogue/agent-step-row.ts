import { rowText } from "@svc/audit-log/row-text";
import type { AgentRow } from "@svc/contract/agent-row";
import { AUDIT_ROW_VERSION } from "@svc/contract/audit-row";
import { maskSecretsInIdentifier, maskSecretsInText } from "@svc/engine/mask-secrets";

/** What the agent of a session, or an operator, did to its supervision. */
type AgentStep = Pick<
  AgentRow,
  "org" | "principal" | "time" | "agent_id" | "session_id" | "namespace" | "reason" | "actor"
> & { readonly action: "reauthenticated" | "reregistered" };

/** The audit row of such a step, as text to store. Secrets that people wrote are masked. */
export function agentStepRow(step: AgentStep): string {
  return rowText({
    ...step,
    v: AUDIT_ROW_VERSION,
    kind: "agent",
    agent_id: maskSecretsInIdentifier(step.agent_id),
    session_id: step.session_id === null ? null : maskSecretsInIdentifier(step.session_id),
    reason: step.reason === null ? null : maskSecretsInText(step.reason),
    actor: step.actor === null ? null : maskSecretsInText(step.actor),
    previous_namespace: null,
    registration: null,
    trigger_source: "api",
    expires_at: null,
  });
}
