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

interface Waiting {
  readonly beat: Beat;
  readonly atMs: number;
  /** Requests that are answered when the beat is stored. */
  readonly waiters: readonly PromiseWithResolvers<NoteOutcome>[];
}

/**
 * Receives heartbeats. A beat of a session that this process knows to be supervised is answered when it is in
 * memory. The first beat of a session, and its last one, are answered when they are stored, because only then
 * its supervision has begun or ended. A failed write keeps its beats for the next one.
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
  async note(beat: Beat): Promise<NoteOutcome> {
    const key = keyOf(beat);
    const before = this.#waiting.get(key);
    if (before === undefined && this.#waiting.size >= MAX_WAITING_BEATS) return { kind: "busy" };
    const known = beat.ended ? undefined : this.#known.get(key);
    this.#known.delete(key);
    if (known !== undefined) this.#known.set(key, known);
    // While writes fail nobody is told that a heartbeat counts: its agent may find another process.
    const waits = known === undefined || this.#isFailing;
    const waiter = waits ? [Promise.withResolvers<NoteOutcome>()] : [];
    const merged = before === undefined ? beat : later(before.beat, beat);
    const waiters = [...(before?.waiters ?? []), ...waiter];
    this.#waiting.set(key, { beat: merged, atMs: this.#ports.clock.nowMs(), waiters });
    this.#arm();
    return waiter[0]?.promise ?? { kind: "noted", reauthenticated: known?.reauthenticated ?? false };
  }

  /** Whether the session is known to be stored with this very parent. */
  hasParent(beat: Pick<Beat, "org" | "agentId" | "sessionId" | "parentSessionId">): boolean {
    return this.#known.get(keyOf(beat))?.parentSessionId === beat.parentSessionId;
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
        for (const entry of batch.slice(from)) this.#keep(entry);
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
      for (const [index, [key, waiting]] of part.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined) throw new Error("the store answered for fewer heartbeats");
        this.#settle(key, waiting, outcome);
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

  #settle(key: string, { waiters }: Waiting, outcome: RecordedHeartbeat): void {
    for (const { resolve } of waiters) resolve(outcome);
    if (outcome.kind === "recorded" && outcome.session.endedAtMs === null) this.#know(key, outcome.session);
    else this.#known.delete(key);
  }

  #know(key: string, { parentSessionId, reauthenticated }: KnownSession): void {
    if (this.#known.size >= MAX_KNOWN_SESSIONS) {
      const [oldest] = this.#known.keys();
      if (oldest !== undefined) this.#known.delete(oldest);
    }
    this.#known.set(key, { parentSessionId, reauthenticated });
  }

  /** Puts a beat back that was not written, below a newer one of its session. */
  #keep([key, { beat, atMs }]: readonly [string, Waiting]): void {
    const newer = this.#waiting.get(key);
    if (newer === undefined) this.#waiting.set(key, { beat, atMs, waiters: [] });
    else this.#waiting.set(key, { ...newer, beat: later(beat, newer.beat) });
  }
}

/** The later beat decides; a parent that an earlier one named stays until a later one names another. */
function later(before: Beat, after: Beat): Beat {
  return { ...after, parentSessionId: after.parentSessionId ?? before.parentSessionId };
}

/** A space is in no identifier. */
function keyOf({ org, agentId, sessionId }: Pick<Beat, "org" | "agentId" | "sessionId">): string {
  return `${org} ${agentId} ${sessionId}`;
}
