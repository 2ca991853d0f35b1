import type { Decide } from "@svc/contract/decide";
import type { Verdict } from "@svc/contract/verdict";
import type { Timers } from "@svc/process/timers";
import type { GatewayDocuments } from "./gateway-documents.ts";

/** Sessions whose heartbeats one process sends, as count. Calls of further ones are not supervised by it. */
export const MAX_CARRIED_SESSIONS = 1_000;

/** Milliseconds without a call after which a session counts as ended. */
export const IDLE_SESSION_MS = 10 * 60 * 1_000;

/** Milliseconds between two heartbeats of a session until an answer names the interval. */
const FIRST_INTERVAL_MS = 15_000;

/** Part of the interval after which the next heartbeat is sent, so that none counts as missed on its way. */
const SENT_AFTER = 0.75;

/** Milliseconds between two heartbeats of any sessions: at most 100 in a second. */
const PAUSE_MS = 10;

/** Milliseconds without a heartbeat after one that failed, so that a gateway that recovers is not flooded. */
const BACKOFF_MS = 1_000;

/** Milliseconds for the heartbeats that end sessions when the process stops. The rest is not sent. */
const CLOSE_MS = 1_000;

/** Longest interval in milliseconds that an answer may name: an hour, as the settings permit. */
const MAX_INTERVAL_MS = 60 * 60 * 1_000;

/** Heartbeats for the sessions that an adapter carries. None of this delays a call, throws or rejects. */
export interface Heartbeats {
  /** A call of the session was judged. The first one that is allowed begins its heartbeats. */
  judged(call: CarriedCall, verdict: Pick<Verdict, "decision">): void;
  /** The session ended in good order. */
  ended(session: CarriedSession): void;
  /** Ends the supervision of every session, as far as there is time. */
  close(): Promise<void>;
}

export interface CarriedSession {
  readonly agentId: string;
  readonly sessionId: string;
}

interface CarriedCall {
  readonly agent_id: string;
  readonly session_id: string | null;
}

export interface HeartbeatParts {
  readonly gateway: Pick<GatewayDocuments, "send">;
  readonly timers: Timers;
  /** Milliseconds that only move forward. */
  readonly monotonicMs: () => number;
  /** For the log. */
  readonly onFault: (error: unknown) => void;
}

/** A session and when its next heartbeat is due. */
interface Carried extends CarriedSession {
  dueMs: number;
  calledMs: number;
  isEnding: boolean;
}

/** For an adapter that sends no heartbeats. */
export const NO_HEARTBEATS: Heartbeats = {
  judged: () => undefined,
  ended: () => undefined,
  close: () => Promise.resolve(),
};

/** The same decisions, and a heartbeat for each session whose calls are allowed. */
export function notingSessions(decide: Decide, heartbeats: Pick<Heartbeats, "judged">): Decide {
  return async (call, options) => {
    const verdict = await decide(call, options);
    heartbeats.judged(call, verdict);
    return verdict;
  };
}

/** One request is in flight at a time, so heartbeats need one connection. */
export function createHeartbeats(parts: HeartbeatParts): Heartbeats {
  return new Sender(parts);
}

class Sender implements Heartbeats {
  readonly #parts: HeartbeatParts;
  readonly #sessions = new Map<string, Carried>();
  #cancel: (() => void) | null = null;
  #sending: Promise<void> | null = null;
  #closed = false;

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
  }

  judged(
    { agent_id: agentId, session_id: sessionId }: CarriedCall,
    { decision }: Pick<Verdict, "decision">,
  ): void {
    if (sessionId === null || this.#closed) return;
    const key = keyOf({ agentId, sessionId });
    const nowMs = this.#parts.monotonicMs();
    const known = this.#sessions.get(key);
    if (known !== undefined) {
      known.calledMs = nowMs;
      known.isEnding = false;
      return;
    }
    if (decision !== "allow") return;
    if (this.#sessions.size >= MAX_CARRIED_SESSIONS)
      return this.#parts.onFault(new Error(`${String(MAX_CARRIED_SESSIONS)} sessions are carried`));
    this.#sessions.set(key, { agentId, sessionId, dueMs: nowMs, calledMs: nowMs, isEnding: false });
    this.#wake();
  }

  ended(session: CarriedSession): void {
    const known = this.#sessions.get(keyOf(session));
    if (known === undefined) return;
    known.isEnding = true;
    known.dueMs = this.#parts.monotonicMs();
    this.#wake();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancel?.();
    await this.#sending;
    const untilMs = this.#parts.monotonicMs() + CLOSE_MS;
    for (const session of this.#sessions.values()) {
      if (this.#parts.monotonicMs() >= untilMs) break;
      if (!(await this.#send({ ...session, isEnding: true }))) break;
    }
    this.#sessions.clear();
  }

  /** Arms the timer for the heartbeat that is due first. */
  #wake(pauseMs = 0): void {
    if (this.#closed || this.#sending !== null) return;
    this.#cancel?.();
    this.#cancel = null;
    const next = this.#next();
    if (next === null) return;
    const delayMs = Math.max(pauseMs, next.dueMs - this.#parts.monotonicMs(), 0);
    this.#cancel = this.#parts.timers.after(delayMs, () => {
      this.#sending = this.#beat(next).then((wasSent) => {
        this.#sending = null;
        this.#wake(wasSent ? PAUSE_MS : BACKOFF_MS);
      });
    });
  }

  #next(): Carried | null {
    let next: Carried | null = null;
    for (const session of this.#sessions.values()) {
      if (next === null || session.dueMs < next.dueMs) next = session;
    }
    return next;
  }

  /** Sends the heartbeat of a session. @returns whether the gateway took it */
  async #beat(session: Carried): Promise<boolean> {
    const nowMs = this.#parts.monotonicMs();
    if (nowMs - session.calledMs >= IDLE_SESSION_MS) session.isEnding = true;
    session.dueMs = nowMs + FIRST_INTERVAL_MS * SENT_AFTER;
    const sent = { ...session };
    const intervalMs = await this.#send(sent);
    if (intervalMs === null) {
      // A session that ended is forgotten all the same: its agent may be unknown to the gateway.
      if (sent.isEnding) this.#forget(session);
      return false;
    }
    session.dueMs = nowMs + intervalMs * SENT_AFTER;
    if (sent.isEnding) this.#forget(session);
    return true;
  }

  #forget(session: Carried): void {
    // A call that came meanwhile keeps the session, whose supervision begins again.
    if (session.isEnding) this.#sessions.delete(keyOf(session));
  }

  /** The interval in milliseconds that the answer names; null when the gateway did not take the heartbeat. */
  async #send({ agentId, sessionId, isEnding }: Carried): Promise<number | null> {
    try {
      const path = `/api/v1/agents/${encodeURIComponent(agentId)}/heartbeat`;
      const body = JSON.stringify({ session_id: sessionId, ...(isEnding ? { ended: true } : {}) });
      const { interval_seconds: seconds } = await this.#parts.gateway.send({ method: "POST", path, body });
      const intervalMs = typeof seconds === "number" ? seconds * 1_000 : FIRST_INTERVAL_MS;
      return Math.min(Math.max(intervalMs, 1_000), MAX_INTERVAL_MS);
    } catch (error) {
      this.#parts.onFault(error);
      return null;
    }
  }
}

function keyOf({ agentId, sessionId }: CarriedSession): string {
  return JSON.stringify([agentId, sessionId]);
}
