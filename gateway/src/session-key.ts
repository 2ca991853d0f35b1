import { maskSecretsInIdentifier } from "@svc/engine/mask-secrets";
import type { SessionKey } from "@svc/store/ports/session-usage";
import type { CallFacts } from "./call-facts.ts";

/**
 * What a session's usage is kept under; null without a session. Identifiers are masked as in audit rows: an
 * outcome finds the session by the row of its decision, and a secret is not stored.
 */
export function sessionKeyOf({ org, agentId, sessionId }: CallFacts): SessionKey | null {
  if (sessionId === null) return null;
  return { org, agentId: maskSecretsInIdentifier(agentId), sessionId: maskSecretsInIdentifier(sessionId) };
}
