import type { KeyCreation } from "@svc/contract/key";

/** A request for a key of role agent, with what the test changes. */
export function keyRequest(changed: Partial<KeyCreation> = {}): KeyCreation {
  return {
    name: "a key",
    role: "agent",
    agents: null,
    namespaces: null,
    expires_at: null,
    org_id: null,
    ...changed,
  };
}
