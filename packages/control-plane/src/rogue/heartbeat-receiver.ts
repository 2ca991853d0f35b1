import { faultFields } from "@svc/contract/fault-fields";
import type { MonotonicClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { Timers } from "@svc/process/timers";
import type {
  ReceivedHeartbeat,
  RecordedHeartbeat,
  SupervisedSession,
  SupervisionStore,
} from "@svc/store/ports/supervision-store";

/**
 * Milliseconds for which heartbeats are collected before they are written together. A crash loses what was
 * collected. One interval of grace covers that, because it is at least twice as long.
 */
export const COLLECT_MS = 500;

/**
 * Heartbeats of one write, as count: some five milliseconds of the embedded database. Rows of calls are
 * committed between two writes.
 */
export const BEATS_PER_WRITE = 500;

/** Sessions whose heartbeats wait for a write, as count: all that one organization may have. */
export const MAX_WAITING_BEATS = 100_000;

/** Sessions that are known to be stored, as count: 50 MB. Another one waits for its write, as a new one. */
const MAX_KNOWN_SESSIONS = 200_000;

/** A heartbeat as it came. `namespace` is the one whose settings apply. */
export type Beat = Omit<ReceivedHeartbeat, "ageMs">;

export type NoteOutcome =
  /** It counts from the moment when it came. It may not be stored yet. */
  | { readonly kind: "noted"; readonly reauthenticated: boolean }
  /** It does not count: too many heartbeats of all organizations wait for a write. */
  | { readonly kind: "busy" }
  | RecordedHeartbeat;

export interface ReceiverPorts {
  readonly supervision: Pick<SupervisionStore, "recordHeartbeats">;
  readonly clock: MonotonicClock;
  readonly timers: Timers;
  readonly log: Pick<Logger, "error" | "info">;
}

/** What the last write said about a session. */
type KnownSession = Pick<SupervisedSession, "parentSessionId" | "reauthenticated">;

/** Whether a beat may be answered before it is stored. */
export type AnswerWhen = "noted" | "stored";

interface Waiting {
  readonly beat: Beat;
  readonly atMs: number;
  /** Requests that are answered when the beat is stored. */
  readonly waiters: readonly PromiseWithResolvers<NoteOutcome>[];
}

/**
 * Receives heartbeats. A beat of a session that this process knows to be supervised is answered when it is in
 * memory. Answered when they are stored are the first beat of a session, its last one, and one that names
 * another parent: only the store can say that supervision began or ended, and that the parent is taken. A
 * failed write keeps its beats for the next one.
 */
export class HeartbeatReceiver {
  readonly #ports: ReceiverPorts;
  readonly #waiting = new Map<string, Waiting>();
  /** The session that was heard of least recently comes first. */
  readonly #known = new Map<string, KnownSession>();
  #cancel: (() => void) | null = null;
  #writing: Promise<void> | null = null;
  #stopped = false;
  #isFailing = false;

  constructor(ports: ReceiverPorts) {
    this.#ports = ports;
  }

  /** @throws when a beat that must be stored first could not be stored. */
  async note(beat: Beat, answered: AnswerWhen = "noted"): Promise<NoteOutcome> {
    const session = keyOf(beat);
    const known = beat.ended ? undefined : this.#known.get(session);
    const isNamedAnew = beat.parentSessionId !== null && known?.parentSessionId !== beat.parentSessionId;
    // A parent can be refused. Beats that were answered before must not be refused with it.
    const key = isNamedAnew ? `${session}\n${beat.parentSessionId ?? ""}` : session;
    const before = this.#waiting.get(key);
    if (before === undefined && this.#waiting.size >= MAX_WAITING_BEATS) return { kind: "busy" };
    this.#known.delete(session);
    if (known !== undefined) this.#known.set(session, known);
    // While writes fail nobody is told that a heartbeat counts: its agent may find another process.
    const waits = known === undefined || isNamedAnew || answered === "stored" || this.#isFailing;
    const waiter = waits ? [Promise.withResolvers<NoteOutcome>()] : [];
    const waiters = [...(before?.waiters ?? []), ...waiter];
    const merged = before === undefined ? beat : later(before.beat, beat);
    // The beats of a session are written in the order in which the latest of each kind came.
    this.#waiting.delete(key);
    this.#waiting.set(key, { beat: merged, atMs: this.#ports.clock.nowMs(), waiters });
    this.#arm();
    return waiter[0]?.promise ?? { kind: "noted", reauthenticated: known?.reauthenticated ?? false };
  }

  /** Beats that wait for a write. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Writes what is there, then nothing more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#writing;
    await this.#writeAll();
  }

  #arm(): void {
    if (this.#stopped || this.#cancel !== null || this.#writing !== null) return;
    this.#cancel = this.#ports.timers.after(COLLECT_MS, () => {
      this.#cancel = null;
      this.#writing = this.#writeAll().finally(() => {
        this.#writing = null;
        if (this.#waiting.size > 0) this.#arm();
      });
    });
  }

  /** Never rejects. Writes each beat that was there at the beginning once. */
  async #writeAll(): Promise<void> {
    const batch = [...this.#waiting];
    this.#waiting.clear();
    for (let from = 0; from < batch.length; from += BEATS_PER_WRITE) {
      const part = batch.slice(from, from + BEATS_PER_WRITE);
      if (!(await this.#write(part))) {
        this.#keep(batch.slice(from));
        return;
      }
    }
  }

  async #write(part: readonly (readonly [string, Waiting])[]): Promise<boolean> {
    const { supervision, clock, log } = this.#ports;
    try {
      const nowMs = clock.nowMs();
      const beats = part.map(([, { beat, atMs }]) => ({ ...beat, ageMs: Math.max(0, nowMs - atMs) }));
      const outcomes = await supervision.recordHeartbeats(beats);
      for (const [index, [, waiting]] of part.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined) throw new Error("the store answered for fewer heartbeats");
        this.#settle(waiting, outcome);
      }
      if (this.#isFailing) log.info({}, "heartbeats are stored again");
      this.#isFailing = false;
      return true;
    } catch (error) {
      if (!this.#isFailing) log.error(faultFields(error), "heartbeats could not be stored; they are kept");
      this.#isFailing = true;
      for (const [, { waiters }] of part) for (const { reject } of waiters) reject(error);
      return false;
    }
  }

  #settle({ beat, waiters }: Waiting, outcome: RecordedHeartbeat): void {
    for (const { resolve } of waiters) resolve(outcome);
    // A refused parent changes nothing about the session.
    if (outcome.kind === "bad_parent") return;
    const session = keyOf(beat);
    if (outcome.kind === "recorded" && outcome.session.endedAtMs === null)
      this.#know(session, outcome.session);
    else this.#known.delete(session);
  }

  #know(key: string, { parentSessionId, reauthenticated }: KnownSession): void {
    if (this.#known.size >= MAX_KNOWN_SESSIONS) {
      const [oldest] = this.#known.keys();
      if (oldest !== undefined) this.#known.delete(oldest);
    }
    this.#known.set(key, { parentSessionId, reauthenticated });
  }

  /** Puts beats back that were not written, before those that came meanwhile. */
  #keep(unwritten: readonly (readonly [string, Waiting])[]): void {
    const newer = [...this.#waiting];
    this.#waiting.clear();
    for (const [key, { beat, atMs }] of unwritten) this.#waiting.set(key, { beat, atMs, waiters: [] });
    for (const [key, waiting] of newer) {
      const older = this.#waiting.get(key);
      this.#waiting.delete(key);
      const beat = older === undefined ? waiting.beat : later(older.beat, waiting.beat);
      this.#waiting.set(key, { ...waiting, beat });
    }
  }
}

/** The later beat decides; a parent that an earlier one named stays until a later one names another. */
function later(before: Beat, after: Beat): Beat {
  return { ...after, parentSessionId: after.parentSessionId ?? before.parentSessionId };
}

/** No name holds a line break. */
function keyOf({ org, agentId, sessionId }: Pick<Beat, "org" | "agentId" | "sessionId">): string {
  return `${org}\n${agentId}\n${sessionId}`;
}
