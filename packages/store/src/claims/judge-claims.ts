import type { Claims } from "../ports/claims.ts";
import type { LedgerEntry } from "../ports/ledger.ts";
import type { RowPosition } from "../ports/row-position.ts";
import type { SessionUsage } from "../ports/session-usage.ts";
import { ApprovalJudge, type LockedApprovals } from "./approval.ts";
import { CounterJudge } from "./counters.ts";
import { GrantJudge, type LockedGrant } from "./grant.ts";
import { HeldCallJudge, type LockedHeldCalls } from "./held-call.ts";
import { IdempotencyJudge, type LockedKey } from "./idempotency.ts";
import type { NotCommitted } from "./not-committed.ts";

/**
 * The committed and locked state that the claims of a batch are judged by, each keyed by the text
 * of its kind.
 */
export interface ClaimState {
  readonly usages: ReadonlyMap<string, SessionUsage>;
  readonly grants: ReadonlyMap<string, LockedGrant>;
  readonly approvals: LockedApprovals;
  readonly heldCalls: LockedHeldCalls;
  readonly keys: ReadonlyMap<string, LockedKey>;
}

/** What a batch writes besides its rows. */
export interface TakenClaims {
  readonly counters: Pick<CounterJudge, "charged">;
  readonly grants: Pick<GrantJudge, "used">;
  readonly approvals: Pick<ApprovalJudge, "opened">;
  readonly heldCalls: Pick<HeldCallJudge, "held">;
  readonly keys: Pick<IdempotencyJudge, "changed">;
}

export interface Judgement {
  /** One per entry, in batch order; null when the entry's row must be appended. */
  readonly verdicts: readonly (NotCommitted | null)[];
  readonly taken: TakenClaims;
}

/** One judge per kind of claim. `refusal` says why a claim fails, and takes nothing. */
class Judges implements TakenClaims {
  readonly counters: CounterJudge;
  readonly grants: GrantJudge;
  readonly approvals: ApprovalJudge;
  readonly heldCalls: HeldCallJudge;
  readonly keys: IdempotencyJudge;

  constructor({ usages, grants, approvals, heldCalls, keys }: ClaimState) {
    this.counters = new CounterJudge(usages);
    this.grants = new GrantJudge(grants);
    this.approvals = new ApprovalJudge(approvals);
    this.heldCalls = new HeldCallJudge(heldCalls);
    this.keys = new IdempotencyJudge(keys);
  }

  /** A repeat comes first: whether its grant is used or its ceiling reached was decided the first time. */
  refusal({ idempotency, usesGrant, opensApproval, holdsCall, counters }: Claims): NotCommitted | null {
    return (
      (idempotency === null ? null : this.keys.refusal(idempotency)) ??
      (usesGrant === null ? null : this.grants.refusal(usesGrant)) ??
      (opensApproval === null ? null : this.approvals.refusal(opensApproval)) ??
      (holdsCall === null ? null : this.heldCalls.refusal(holdsCall)) ??
      this.counters.refusal(counters)
    );
  }

  take(claims: Claims, position: RowPosition): void {
    const { idempotency, usesGrant, opensApproval, holdsCall, counters } = claims;
    if (idempotency !== null) this.keys.take(idempotency, position);
    if (usesGrant !== null) this.grants.take(usesGrant, position);
    if (opensApproval !== null) this.approvals.take(opensApproval, position);
    if (holdsCall !== null) this.heldCalls.take(holdsCall, position);
    this.counters.take(counters);
  }
}

/**
 * Judges the claims of one batch in order, each entry against what the entries before it have left. An entry
 * takes all of its claims or none.
 * @param first where the first row of the batch will stand
 */
export function judgeClaims(
  entries: readonly Pick<LedgerEntry, "claims">[],
  state: ClaimState,
  { logId, seq: firstSeq }: RowPosition,
): Judgement {
  const judges = new Judges(state);
  let seq = firstSeq;
  const verdicts = entries.map(({ claims }) => {
    const refusal = judges.refusal(claims);
    if (refusal !== null) return refusal;
    judges.take(claims, { logId, seq });
    seq += 1;
    return null;
  });
  return { verdicts, taken: judges };
}
