import type { HeldCallClaim } from "../ports/claims.ts";
import type { RowPosition } from "../ports/row-position.ts";
import type { NotCommitted } from "./not-committed.ts";

/** The held call of a digest, as stored. */
export interface KnownHeldCall {
  readonly heldCallId: string;
  readonly position: RowPosition;
  readonly expiresAtMs: number;
}

/** What the held calls of a batch are judged by. */
export interface LockedHeldCalls {
  /** By held call text. */
  readonly held: ReadonlyMap<string, KnownHeldCall>;
  /** How many calls are held, by agent text. Without those whose time is over. */
  readonly counts: ReadonlyMap<string, number>;
}

export const NO_HELD_CALLS: LockedHeldCalls = { held: new Map(), counts: new Map() };

/** A call that the batch holds, and the row that does. */
export interface NewHeldCall {
  readonly claim: HeldCallClaim;
  readonly position: RowPosition;
}

/** One text per call of an organization, unambiguous whatever its parts hold. */
export function heldCallText({ org, callDigest }: Pick<HeldCallClaim, "org" | "callDigest">): string {
  return `${String(org.length)}.${org}${callDigest}`;
}

/** One text per agent of an organization. */
export function heldAgentText({ org, agentId }: Pick<HeldCallClaim, "org" | "agentId">): string {
  return `${String(org.length)}.${org}${agentId}`;
}

/** The row types of both databases. */
export interface HeldCallRow {
  readonly org: string;
  readonly id: string;
  readonly call_digest: string;
  readonly log_id: string;
  readonly seq: number;
  readonly expires_at_ms: number;
}

export interface HeldCountRow {
  readonly org: string;
  readonly agent_id: string;
  readonly count: number;
}

export function lockedHeldCalls(
  rows: readonly HeldCallRow[],
  counts: readonly HeldCountRow[],
): LockedHeldCalls {
  return {
    held: new Map(
      rows.map(({ org, id, call_digest, log_id, seq, expires_at_ms }) => [
        heldCallText({ org, callDigest: call_digest }),
        { heldCallId: id, position: { logId: log_id, seq }, expiresAtMs: expires_at_ms },
      ]),
    ),
    counts: new Map(
      counts.map(({ org, agent_id, count }) => [heldAgentText({ org, agentId: agent_id }), count]),
    ),
  };
}

/** The agents of the claims, one claim for each. */
export function claimPerAgent(claims: readonly HeldCallClaim[]): readonly HeldCallClaim[] {
  return [...new Map(claims.map((claim) => [heldAgentText(claim), claim])).values()];
}

/** Judges the calls that one batch holds, each against the ones before it. */
export class HeldCallJudge {
  readonly #known: LockedHeldCalls;
  readonly #added = new Map<string, number>();
  readonly held = new Map<string, NewHeldCall>();

  constructor(known: LockedHeldCalls) {
    this.#known = known;
  }

  refusal(claim: HeldCallClaim): NotCommitted | null {
    const text = heldCallText(claim);
    const added = this.held.get(text);
    if (added !== undefined)
      return { kind: "call_held", heldCallId: added.claim.heldCallId, position: added.position };
    const known = this.#known.held.get(text);
    if (known !== undefined && claim.atMs < known.expiresAtMs)
      return { kind: "call_held", heldCallId: known.heldCallId, position: known.position };
    const agent = heldAgentText(claim);
    const count = (this.#known.counts.get(agent) ?? 0) + (this.#added.get(agent) ?? 0);
    return count < claim.maxHeld ? null : { kind: "held_calls_full" };
  }

  take(claim: HeldCallClaim, position: RowPosition): void {
    this.held.set(heldCallText(claim), { claim, position });
    const agent = heldAgentText(claim);
    this.#added.set(agent, (this.#added.get(agent) ?? 0) + 1);
  }
}
