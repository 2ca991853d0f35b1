import type { Principal } from "@svc/contract/principal";
import type { Logger } from "@svc/process/logger";
import type { StoredAgent } from "@svc/store/ports/agent-store";

/** Logs one line per change of an agent. */
export function logAgent(
  log: Logger,
  message: string,
  { principal, agent }: { readonly principal: Pick<Principal, "org" | "id">; readonly agent: StoredAgent },
): void {
  const { id, namespace } = agent;
  log.info({ org: principal.org, principal: principal.id, agent_id: id, namespace }, message);
}
