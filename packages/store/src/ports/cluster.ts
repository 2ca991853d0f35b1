import type { Leadership } from "./leadership.ts";

/** What a process of a cluster serves. */
export type ProcessRole = "all" | "gateway" | "control";

/** What a process says about itself when it joins. */
export interface ProcessFacts {
  /** Of the machine. */
  readonly host: string;
  readonly version: string;
  readonly role: ProcessRole;
  /** RFC 3339. */
  readonly startedAt: string;
}

/** What a process says with each sign of life. */
export interface ProcessReport {
  /** Kill switches, bindings and keys up to this revision are enforced. */
  readonly applied: number;
  /** Milliseconds since the read that proved control state current was sent; null while there is none. */
  readonly controlAgeMs: number | null;
  readonly decisionsPerSecond: number;
}

/** A process as the database knows it. */
export interface ClusterMember extends ProcessFacts, ProcessReport {
  readonly id: string;
  /** Raised each time a process takes the log of this id over. */
  readonly epoch: number;
  /** Raised with each sign of life. Whether it changes is comparable across machines; times are not. */
  readonly beat: number;
  /** Unix milliseconds of the last sign of life, by the clock of the database. */
  readonly lastSeenMs: number;
  /**
   * The last revision that was committed when it joined. What it has read since then includes it. It is 0
   * when the process did not say.
   */
  readonly joinedRevision: number;
  /** Unix milliseconds at which it joined, by the clock of the database; 0 when it did not say. */
  readonly joinedMs: number;
}

/** A member at its last sign of life. */
export type SignOfLife = Pick<ClusterMember, "id" | "epoch" | "beat">;

/** A process that was a member when a switch was activated. */
export interface ReachedMember {
  readonly id: string;
  readonly epoch: number;
  readonly host: string;
  readonly version: string;
  readonly role: ProcessRole;
  /** Unix milliseconds, by the clock of the database, at which it wrote that it enforces the switch. */
  readonly acknowledgedMs: number | null;
}

/** What the database knows of the reach of one switch, as of one moment. */
export interface ClusterReach extends ClusterView {
  /** Everybody who was a member at the activation. None when an earlier program activated the switch. */
  readonly reached: readonly ReachedMember[];
}

export interface ClusterView {
  /** Unix milliseconds by the clock of the database. */
  readonly nowMs: number;
  /** The last revision of control state. */
  readonly head: number;
  /** By id. */
  readonly members: readonly ClusterMember[];
}

/** Most processes of one database, as count. Every activation reads all of them, several times. */
export const MAX_CLUSTER_MEMBERS = 1_000;

/** The database lists more processes than MAX_CLUSTER_MEMBERS, so nobody can wait for each of them. */
export class TooManyMembersError extends Error {
  override readonly name = "TooManyMembersError";

  constructor() {
    super(
      `the database lists more than ${String(MAX_CLUSTER_MEMBERS)} processes: end those that are too many, ` +
        "and remove rows of processes that are not there from the table cluster_members",
    );
  }
}

/** A question to every process. `text` is JSON. */
export interface ClusterQuestion {
  readonly id: string;
  readonly text: string;
}

export interface ClusterAnswer {
  readonly questionId: string;
  readonly memberId: string;
  readonly text: string;
}

/** What a process answers to a question, which it may answer before it is asked. */
export interface OwnAnswer {
  readonly questionId: string;
  readonly text: string;
}

/** A member that enforces a revision. */
export interface CaughtUpMember {
  readonly memberId: string;
  /** Its answer to a question; null when it has given none. */
  readonly text: string | null;
}

/** What a process says of its own health. `text` is JSON. */
export interface MemberSigns {
  readonly memberId: string;
  readonly text: string;
}

/** Called with what other processes say. A notification may be lost: nothing may depend on one alone. */
export interface ClusterListener {
  /**
   * Control state has changed up to a revision. Null: it may have changed while nothing could be heard, or
   * the revision is not known.
   */
  onChange(revision: number | null): void;
  onQuestion(question: ClusterQuestion): void;
}

/**
 * The processes that share a database. A process is a member under the id of its log, for as long as it holds
 * that log. Every promise rejects when the database does not answer.
 */
export interface Cluster {
  /** Hears from now on what a process of this role needs of what others say, and connects again by itself. */
  listen(listener: ClusterListener, role: ProcessRole): void;
  /** Makes this process a member. Durable when it resolves. @throws TooManyMembersError */
  join(facts: ProcessFacts): Promise<void>;
  /**
   * A sign of life. @returns whether the process is still the member of its id. It is not when its row is
   * gone, or is as it was before the last sign of life: the database was restored from a backup.
   */
  beat(report: ProcessReport): Promise<boolean>;
  /** Replaces what this process says of its own health. Only a member can do so. */
  saySigns(text: string): Promise<void>;
  /** What members have said last. */
  signs(): Promise<readonly MemberSigns[]>;
  /**
   * Writes up to which revision control state is enforced here, and the answers that others will ask for.
   * Only a member can do so.
   */
  acknowledge(applied: number, answers: readonly OwnAnswer[]): Promise<void>;
  /** Ends the membership. Call it when this process decides nothing any more. */
  leave(): Promise<void>;
  /** @throws TooManyMembersError */
  view(): Promise<ClusterView>;
  /** @throws TooManyMembersError */
  reach(org: string, killSwitchId: string): Promise<ClusterReach>;
  /** The members that enforce this revision, each with its answer to the question. */
  caughtUp(revision: number, questionId: string): Promise<readonly CaughtUpMember[]>;
  ask(question: ClusterQuestion): Promise<void>;
  answer(questionId: string, text: string): Promise<void>;
  answersTo(questionId: string): Promise<readonly ClusterAnswer[]>;
  /** Removes answers that nobody waits for any more. */
  forgetAnswers(): Promise<void>;
  /** Begins to stand for the work that one process of the database does at a time. */
  lead(): Leadership;
  /** Removes members whose last sign of life is still this one. */
  forget(silent: readonly SignOfLife[]): Promise<void>;
  /**
   * Removes members that were silent for a minute by the clock of the database. Only for a list that is too
   * long to be read. One that comes back all the same denies until it has joined again.
   */
  forgetSilent(): Promise<void>;
}
