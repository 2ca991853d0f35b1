import { maskSecretsInIdentifier } from "@svc/engine/mask-secrets";
import type { SessionKey } from "@svc/store/ports/session-usage";
import type { CallFacts } from "../call-facts.ts";

/**
 * The key of a session's usage; null for a call without a session. Identifiers are masked as in audit rows,
 * so that an outcome finds the session by the row of its decision, and no secret is stored.
 */
export function sessionKeyOf({ org, agentId, sessionId }: CallFacts): SessionKey | null {
  if (sessionId === null) return null;
  return { org, agentId: maskSecretsInIdentifier(agentId), sessionId: maskSecretsInIdentifier(sessionId) };
}
