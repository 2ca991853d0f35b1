import type { Principal } from "@svc/contract/principal";
import type { StoredApproval } from "@svc/store/ports/approval-store";
import type { ControlPlanePorts } from "../ports.ts";

/**
 * Why an approval is suspended. Approvals belong to the whole agent, so another session than that of the call
 * can be the cause. Only a key that reads approvals of others learns its name.
 */
export function whySuspended(
  { supervised }: Pick<ControlPlanePorts, "supervised">,
  { org, agentId, sessionId }: Pick<StoredApproval, "org" | "agentId" | "sessionId">,
  { scopes }: Pick<Principal, "scopes">,
): string {
  const sessions = supervised.containedSessions(org, agentId);
  const [worst] = sessions;
  if (worst === undefined) return `agent ${agentId} has recovered, and its approvals are being resumed.`;
  const isOwn = worst.sessionId === sessionId;
  const name = isOwn || scopes.has("approval:read") ? `, ${worst.sessionId},` : "";
  const whose = `${isOwn ? "the session of this call" : "another session of the agent"}${name}`;
  const more =
    sessions.length === 1 ? "" : ` (${String(sessions.length)} sessions of the agent are suspended)`;
  const way =
    worst.severity === "EMERGENCY"
      ? `An operator ends that with POST agents/${encodeURIComponent(agentId)}/reregister.`
      : `The agent ends that with heartbeats and POST agents/${encodeURIComponent(agentId)}/reauthenticate.`;
  return `${whose} is at ${worst.severity}${more}. ${way}`;
}
