import { MAX_COVERED_CALLS } from "../limits.ts";
import type { ApprovalScope } from "./approval-scope.ts";

/** What an approval holds for, and whose call it is about. */
export interface HoldsForNames {
  readonly scope: ApprovalScope;
  /** Empty: one call. */
  readonly covers: readonly string[];
  readonly agentId: string;
  readonly sessionId: string | null;
}

/** Completes `the approval holds for`. */
export function holdsForText({ scope, covers, agentId, sessionId }: HoldsForNames): string {
  const session = sessionId === null ? "without a session" : `in session ${sessionId}`;
  const where = scope === "agent" ? `in any session of agent ${agentId}` : session;
  if (covers.length === 0) return `this call ${where}`;
  return `up to ${String(MAX_COVERED_CALLS)} calls with the same ${covers.join(", ")} ${where}`;
}
