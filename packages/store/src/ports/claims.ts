import type { ApprovalScope } from "@svc/contract/approval-scope";
import type { RowPosition } from "./row-position.ts";
import type { SessionKey, SessionUsage } from "./session-usage.ts";

/**
 * Adds to what a session has used, in the transaction that writes the row. It is flat, because every thread
 * that it passes copies it.
 */
export interface CounterClaim {
  readonly key: SessionKey;
  readonly steps: number;
  readonly costMicroUsd: number;
  /** The ceilings, which the sum may reach and not pass; null: there is none. */
  readonly maxSteps: number | null;
  readonly maxCostMicroUsd: number | null;
  /**
   * The usage that the evaluation has read; null when it read none. A different usage makes
   * the entry `stale`.
   */
  readonly observed: SessionUsage | null;
}

/** Opens an approval for the call of the row. At most one approval of a binding is open at a time. */
export interface ApprovalClaim {
  readonly org: string;
  /** Random, so that nobody can guess it, and unique in the organization. */
  readonly approvalId: string;
  /** Names the call, and the rule and version of the policy that ask for the approval. */
  readonly binding: string;
  /** What the approval holds for, which `binding` names. */
  readonly holdsFor: HoldsFor;
  /** Names the same call, rule and version for every session. */
  readonly anywhere: string;
  readonly namespace: string;
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly tool: string;
  readonly policyId: string;
  readonly policyVersion: number;
  /** Null where something else than a rule paused the call. */
  readonly ruleId: string | null;
  /** The workflow that the rule names; null when it names none. */
  readonly workflowId: string | null;
  /** Id of the key that asks. */
  readonly requestedBy: string;
  /**
   * Unix milliseconds: when the claim is made, and when the approval ends unless it is resolved. With a
   * workflow, the time of that workflow counts.
   */
  readonly atMs: number;
  readonly expiresAtMs: number;
  readonly maxOpen: OpenLimits;
}

/** For which calls an approval is. */
export interface HoldsFor {
  readonly scope: ApprovalScope;
  /** Arguments whose values a later call must share. Empty: one call. */
  readonly covers: readonly string[];
}

/** Most approvals that may be open after a claim: of its organization, its agent and the key that asks. */
export interface OpenLimits {
  readonly organization: number;
  readonly agent: number;
  readonly key: number;
}

/** Uses a grant, which lets its call pass once, or as often as it covers calls. */
export interface GrantClaim {
  readonly org: string;
  /** The approval that gave it. */
  readonly approvalId: string;
  /** Must be that of the grant. */
  readonly binding: string;
  /** Unix milliseconds: when the claim is made. */
  readonly atMs: number;
}

/**
 * Holds the call of the row while its agent is suspended. At most one held call has a digest at a time, so a
 * repeat finds the one of the first call.
 */
export interface HeldCallClaim {
  readonly org: string;
  /** Random, so that nobody can guess it, and unique in the organization. */
  readonly heldCallId: string;
  /** Keyed digest of organization, agent, session, tool and arguments, as in the row. */
  readonly callDigest: string;
  readonly namespace: string;
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly tool: string;
  /** Id of the key that asks. */
  readonly requestedBy: string;
  /** The control state that the agent is suspended in. Who knows an older one must not release the call. */
  readonly revision: number;
  /** Unix milliseconds: when the claim is made, and when the call ends unless it is released or revoked. */
  readonly atMs: number;
  readonly expiresAtMs: number;
  /** Most calls of the agent that may be held after the claim. */
  readonly maxHeld: number;
}

/** Takes the name that a caller gave its call, so that a repeat finds the row of the first call. */
export interface IdempotencyClaim {
  readonly org: string;
  /** Identifies the caller and the key that it chose. */
  readonly keyDigest: string;
  /** Identifies the request. The same key with another request is a conflict. */
  readonly requestDigest: string;
  /** The row that the key is taken from, when the caller knows that its decision is out of date. */
  readonly replaces: RowPosition | null;
  /** Unix milliseconds: when the claim is made, and when the key is free again. */
  readonly atMs: number;
  readonly expiresAtMs: number;
}

/**
 * What an entry takes besides its row, in the same transaction. An entry gets all of its claims or none: when
 * one is refused, neither the row nor any other claim is written. They are judged in the order of
 * `idempotency`, `usesGrant`, `opensApproval`, `holdsCall`, `counters`, and the first refusal counts.
 */
export interface Claims {
  /** At most one for each key. */
  readonly counters: readonly CounterClaim[];
  readonly opensApproval: ApprovalClaim | null;
  readonly usesGrant: GrantClaim | null;
  readonly holdsCall: HeldCallClaim | null;
  readonly idempotency: IdempotencyClaim | null;
}

/** The claims of a row that claims nothing. */
export const NO_CLAIMS: Claims = {
  counters: [],
  opensApproval: null,
  usesGrant: null,
  holdsCall: null,
  idempotency: null,
};
