import type { Severity } from "@svc/contract/severity";
import type { AuditedChange } from "./audited-change.ts";
import type { Page, PageRequest } from "./page.ts";

/** What names a supervised session. A session id of another agent is another session. */
export interface SessionName {
  readonly org: string;
  readonly agentId: string;
  readonly sessionId: string;
}

/** How far the calls and approvals of a session are stopped. */
export type Containment = "none" | "suspended" | "terminated";

/** A session whose agent sends heartbeats. All times are unix milliseconds by the clock of the store. */
export interface SupervisedSession extends SessionName {
  /** Whose settings apply. */
  readonly namespace: string;
  /** The session that started this one, by its session id; null: none that it ever named. */
  readonly parentSessionId: string | null;
  /** The agent that the parent must belong to; null: it may belong to any agent of the organization. */
  readonly parentAgentId: string | null;
  /** Raised with every write to this session, also across a new supervision of the same name. */
  readonly version: number;
  readonly startedAtMs: number;
  readonly lastHeartbeatMs: number;
  readonly severity: Severity;
  /** When it reached this severity. */
  readonly severitySinceMs: number;
  /** Why it has this severity, for people. */
  readonly reason: string;
  /** Missed heartbeats at the last change. */
  readonly missedHeartbeats: number;
  /** Whether a heartbeat came after the last change that cleared this. */
  readonly heard: boolean;
  /** Whether it authenticated again after it reached CRITICAL. */
  readonly reauthenticated: boolean;
  /** Since when it is a potential orphan; null: it is none. */
  readonly orphanedAtMs: number | null;
  /** When supervision of it ended; null: it is supervised. */
  readonly endedAtMs: number | null;
  /** What has been done to its calls and approvals. What its severity demands beyond that is still to do. */
  readonly contained: Containment;
}

/** A heartbeat that a process received. */
export interface ReceivedHeartbeat extends SessionName {
  readonly namespace: string;
  /** Null: it does not say, so what an earlier heartbeat said stays. */
  readonly parentSessionId: string | null;
  readonly parentAgentId: string | null;
  /** The session ended in good order. */
  readonly ended: boolean;
  /** Milliseconds since it was received, on the monotonic clock of the receiver. */
  readonly ageMs: number;
}

/** A heartbeat after it was written, or why it was not. */
export type RecordedHeartbeat =
  | { readonly kind: "recorded"; readonly session: SupervisedSession }
  /** Its agent or organization has as many as it may have. */
  | { readonly kind: "too_many"; readonly of: "agent" | "organization" }
  /** The parent that it names descends from it (or is it), or has `MAX_PARENTS` or more above it. */
  | { readonly kind: "bad_parent"; readonly why: "circular" | "too_long" };

/** A change of one session by compare-and-set: it takes place only while the session has `version`. */
export interface SeverityChange extends AuditedChange, SessionName {
  readonly version: number;
  /** A step up, or down to INFO; or the severity that it has, when only something else changes. */
  readonly severity: Severity;
  readonly reason: string;
  readonly missedHeartbeats: number;
  /** `keep`, `now` by the clock of the store, or `clear`. */
  readonly orphaned: "keep" | "now" | "clear";
  /** True: `heard` and `reauthenticated` become false. Always so when the severity changes. */
  readonly clears: boolean;
  /** True: supervision of the session ends with this change. */
  readonly ends: boolean;
  /** Further audit rows of the same change, after the first one. */
  readonly furtherRows?: readonly string[];
}

export type ChangedSeverity =
  /**
   * The session and its audit row were written, and with a new severity its control event, whose revision is
   * given; null: the severity is as before.
   */
  | { readonly kind: "changed"; readonly session: SupervisedSession; readonly revision: number | null }
  /** It has another version by now, or has gone (null). Nothing was written. */
  | { readonly kind: "moved"; readonly session: SupervisedSession | null };

/** The clock of the store, and what changed. */
export interface SupervisionNews {
  /** Unix milliseconds. Read in the same question, so no session is newer than it. */
  readonly nowMs: number;
  /** Each as it is now; also those that have ended. A session may come although it did not change. */
  readonly sessions: readonly SupervisedSession[];
  /** Continues this question. */
  readonly cursor: string;
  /** Whether `limit` cut the answer: more has changed already. */
  readonly isMore: boolean;
}

/**
 * A span of time by the clock of the store, in which a supervisor watched without a pause. That clock did not
 * jump in this span.
 */
export interface WatchSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * Supervised sessions of all organizations. Every promise rejects when the store does not answer; what it was
 * asked to write may then have been written.
 */
export interface SupervisionStore {
  /**
   * Writes heartbeats in one transaction and in this order; no audit row, no control event. The time of a
   * heartbeat is the clock of the store minus its age. A stored time never goes back, except when it lies
   * after the clock of the store, which has then been set back. `heard` becomes true.
   *
   * - An unknown or ended session begins: not an orphan, `contained` as it was (`none` if unknown). It begins
   *   at INFO, or at the severity above INFO with which it ended, until the supervisor changes that.
   * - `ended` ends a session at INFO or WARNING. At CRITICAL and EMERGENCY it counts as a heartbeat alone:
   *   no agent leaves these by itself. An ended session keeps its severity until the supervisor changes it.
   * - At EMERGENCY nothing but the time of the heartbeat changes.
   * - A parent that the session did not have is looked up first. Writes run one after another, so no two
   *   heartbeats close a circle, whichever processes received them.
   *
   * @returns for each heartbeat what became of it, in the same order
   */
  recordHeartbeats(heartbeats: readonly ReceivedHeartbeat[]): Promise<readonly RecordedHeartbeat[]>;
  /**
   * Notes that an agent authenticated again, with its audit row. It counts as a heartbeat, and sets
   * `reauthenticated` at CRITICAL. `not_found`: the session is not supervised; nothing was written.
   */
  reauthenticate(
    change: AuditedChange & SessionName,
  ): Promise<
    { readonly kind: "noted"; readonly session: SupervisedSession } | { readonly kind: "not_found" }
  >;
  /**
   * Changes severities in one transaction. Each change stands for itself: one that moved does not keep the
   * others from being written. A change of a severity is a control event `severity`. No session is named
   * twice. @returns for each change what became of it, in the same order
   */
  changeSeverities(changes: readonly SeverityChange[]): Promise<readonly ChangedSeverity[]>;
  /** Notes what was done. Not a change of control state. Without effect unless `contained` is `from`. */
  noteContainment(
    name: SessionName,
    done: { readonly from: Containment; readonly to: Containment },
  ): Promise<void>;
  /**
   * What a supervisor has to know at its start: sessions of all organizations that have not ended, and ended
   * ones that have a severity above INFO or are contained. Read `news` from a cursor of before the first page
   * on to learn what changed meanwhile.
   */
  watched(page: PageRequest): Promise<Page<SupervisedSession> | "bad_cursor">;
  /**
   * What changed since `cursor`, oldest change first, at most `limit`. Null begins now, with no session. No
   * change that committed after the cursor was given is ever left out, in whatever order transactions commit.
   */
  news(cursor: string | null, limit: number): Promise<SupervisionNews>;
  /** When supervisors watched, oldest span first; empty before the first. */
  watchSpans(): Promise<readonly WatchSpan[]>;
  /** Replaces all spans. */
  saveWatchSpans(spans: readonly WatchSpan[]): Promise<void>;
  session(name: SessionName): Promise<SupervisedSession | null>;
  /** Sessions of the organization with this id, whichever agent they belong to. At most `limit`. */
  sessionsNamed(org: string, sessionId: string, limit: number): Promise<readonly SupervisedSession[]>;
  /**
   * Sessions of an agent: the worst severity first, then the latest heartbeat. Those that ended and are at
   * INFO come last.
   */
  sessionsOf(
    org: string,
    agentId: string,
    page: PageRequest,
  ): Promise<Page<SupervisedSession> | "bad_cursor">;
  /** Removes sessions that ended before and are settled (INFO, `none`). @returns how many, at most `limit` */
  forgetEnded(beforeMs: number, limit: number): Promise<number>;
}
