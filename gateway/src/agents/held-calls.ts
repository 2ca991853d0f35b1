import { HELD_CALL_LIFETIME_MS, MAX_HELD_CALLS_PER_AGENT } from "@svc/contract/held-call-limits";
import { randomToken } from "@svc/process/random-token";
import type { HeldCallClaim } from "@svc/store/ports/claims";
import type { RecordedCall } from "../append/decision-row.ts";
import type { CallFacts } from "../call-facts.ts";
import { denyRuling, type Ruling, ruling } from "../evaluate/ruling.ts";

/** Whose call it is. A call without a session is judged by the worst session of its agent. */
type RogueCaller = Pick<CallFacts, "agentId" | "sessionId">;

/** Bytes of randomness in the id of a held call, so that nobody can guess one. */
const HELD_CALL_ID_BYTES = 20;

/** Holds a call. @param revision the control state in which the agent is suspended */
export function heldRuling({ agentId, sessionId }: RogueCaller, revision: number): Ruling {
  return ruling({
    decision: "pause",
    reason:
      sessionId === null
        ? `rogue detection suspends a session of agent ${agentId}, and this call names no session; it is ` +
          "held until every session of the agent has recovered, or one is terminated"
        : `rogue detection suspends session ${sessionId}; ` +
          "its calls are held until it recovers or is terminated",
    reasonCode: "agent_suspended",
    failClosed: false,
    pauseId: `hld_${randomToken(HELD_CALL_ID_BYTES)}`,
    approval: { kind: "holds", revision },
  });
}

/** Whether a ruling holds its call, rather than asking people to approve it. */
export function holdsCall({ decision, reasonCode }: Ruling): boolean {
  return decision === "pause" && reasonCode === "agent_suspended";
}

/** What the row of a held call claims. Its names are those of the row, where secrets are masked. */
export function heldCallClaim(
  { pauseId, approval }: Ruling,
  { facts, row }: RecordedCall,
  atMs: number,
): HeldCallClaim | null {
  if (approval?.kind !== "holds") return null;
  if (pauseId === null) throw new Error("a held call without an id");
  return {
    org: facts.org,
    heldCallId: pauseId,
    callDigest: row.callDigest,
    ...row.names,
    requestedBy: facts.principal,
    revision: approval.revision,
    atMs,
    expiresAtMs: atMs + HELD_CALL_LIFETIME_MS,
    maxHeld: MAX_HELD_CALLS_PER_AGENT,
  };
}

/** The ruling of a call that would be held, when its agent has as many held calls as it may have. */
export function heldCallsFullRuling({ agentId, sessionId }: RogueCaller): Ruling {
  const suspended =
    sessionId === null ? `a session of agent ${agentId}, this call names no session` : `session ${sessionId}`;
  const limit = String(MAX_HELD_CALLS_PER_AGENT);
  return denyRuling(
    "held_calls_full",
    `rogue detection suspends ${suspended}, and ${limit} calls of the agent are held, which is the limit`,
  );
}
