import { faultFields } from "@svc/contract/fault-fields";
import type { ClusterMembership, ControlFollower, FollowedState } from "@svc/control-feed/control-follower";
import { type Moment, momentOf, msSince, NEVER } from "@svc/control-feed/moment";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { Cluster, OwnAnswer, ProcessFacts } from "@svc/store/ports/cluster";
import type { DecisionRate } from "./decision-rate.ts";

/** Milliseconds between two signs of life. */
const BEAT_INTERVAL_MS = 500;

/**
 * Milliseconds without a confirmed sign of life after which this process denies every call. Others stop
 * waiting for a process after SILENT_AFTER_MS, which is longer, so nobody stops waiting for one that decides.
 */
export const MEMBERSHIP_LIMIT_MS = 5_000;

export interface MembershipParts {
  readonly cluster: Pick<Cluster, "join" | "beat" | "acknowledge" | "leave">;
  readonly facts: ProcessFacts;
  readonly clock: MonotonicClock & WallClock;
  readonly log: Pick<Logger, "error" | "warn" | "info">;
  readonly decisions: Pick<DecisionRate, "perSecond">;
}

/** What this process follows, and by what it enforces. */
export interface MemberState {
  readonly follower: Pick<ControlFollower, "expire" | "startOver">;
  readonly followed: readonly Pick<FollowedState, "appliedRevision" | "ageMs">[];
  /** What is answered together with the acknowledgement of a revision. Each answer is given once. */
  readonly answersUpTo?: (revision: number) => readonly OwnAnswer[];
}

/**
 * This process among those that share its database. Its row in the database makes others wait for its
 * acknowledgements. So a process without a confirmed row denies every call. What it read before its row was
 * confirmed proves nothing.
 */
export class Membership implements ClusterMembership {
  readonly #parts: MembershipParts;
  #state: MemberState | null = null;
  #beatenAt: Moment = NEVER;
  #acknowledged = 0;
  #isAcknowledging = false;
  #timer: NodeJS.Timeout | null = null;
  #beating: Promise<void> | null = null;
  #isFailing = false;

  constructor(parts: MembershipParts) {
    this.#parts = parts;
  }

  get isCurrent(): boolean {
    return msSince(this.#beatenAt, momentOf(this.#parts.clock)) <= MEMBERSHIP_LIMIT_MS;
  }

  /** Call it before the first read of control state. @throws when the database does not answer. */
  async join(): Promise<void> {
    const sentAt = momentOf(this.#parts.clock);
    await this.#parts.cluster.join(this.#parts.facts);
    this.#beatenAt = sentAt;
    this.#timer = setInterval(() => this.#beatSoon(), BEAT_INTERVAL_MS);
  }

  /** From here on, what these parts have applied is acknowledged. */
  track(state: MemberState): void {
    this.#state = state;
    this.noteRead();
  }

  noteRead(): void {
    if (this.#isAcknowledging || this.#applied() === this.#acknowledged) return;
    this.#isAcknowledging = true;
    void this.#acknowledge().finally(() => {
      this.#isAcknowledging = false;
    });
  }

  /** Call it when this process decides nothing any more. Others then no longer wait for it. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#beating;
    this.#beatenAt = NEVER;
    try {
      await this.#parts.cluster.leave();
    } catch (error) {
      this.#parts.log.warn(faultFields(error), "the other processes were not told that this one ends");
    }
  }

  /** What every part of this process enforces; 0 while one of them lacks a snapshot. */
  #applied(): number {
    const revisions = this.#state?.followed.map(({ appliedRevision }) => appliedRevision ?? 0) ?? [];
    return revisions.length === 0 ? 0 : Math.min(...revisions);
  }

  async #acknowledge(): Promise<void> {
    for (let applied = this.#applied(); applied !== this.#acknowledged; applied = this.#applied()) {
      try {
        await this.#parts.cluster.acknowledge(applied, this.#state?.answersUpTo?.(applied) ?? []);
      } catch {
        // The next sign of life says the same, and its failure is logged. Who lacks an answer asks for it.
        return;
      }
      this.#acknowledged = applied;
    }
  }

  #beatSoon(): void {
    this.#beating ??= this.#beat().finally(() => {
      this.#beating = null;
    });
  }

  async #beat(): Promise<void> {
    const { cluster, clock, decisions } = this.#parts;
    const sentAt = momentOf(clock);
    const ageMs = Math.max(0, ...(this.#state?.followed.map((each) => each.ageMs) ?? []));
    const controlAgeMs = Number.isFinite(ageMs) ? ageMs : null;
    const report = { applied: this.#applied(), controlAgeMs, decisionsPerSecond: decisions.perSecond };
    try {
      if (await cluster.beat(report)) this.#confirm(sentAt);
      else await this.#joinAgain();
    } catch (error) {
      this.#logFault(error);
    }
  }

  /**
   * The row is gone or an earlier one: the database was restored, or an operator or another process removed
   * the row. The revisions of a restored database mean other changes than those that this process applied.
   */
  async #joinAgain(): Promise<void> {
    this.#beatenAt = NEVER;
    this.#state?.follower.startOver(new Error("the database no longer knows this process"));
    const sentAt = momentOf(this.#parts.clock);
    await this.#parts.cluster.join(this.#parts.facts);
    this.#acknowledged = 0;
    this.#confirm(sentAt);
  }

  #confirm(sentAt: Moment): void {
    const { clock, log } = this.#parts;
    // Meanwhile others may have stopped waiting for this process, and changes were made that it did not read.
    if (!this.isCurrent) this.#state?.follower.expire(momentOf(clock));
    this.#beatenAt = sentAt;
    if (this.#isFailing) log.info({}, "the other processes know of this one again");
    this.#isFailing = false;
  }

  #logFault(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#parts.log.error(
      faultFields(error),
      "a sign of life did not reach the database: calls are denied if that lasts",
    );
  }
}
