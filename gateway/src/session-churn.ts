import type { MonotonicClock } from "@svc/process/clock";
import { ownText } from "./own-text.ts";

/** Milliseconds over which an agent's new sessions are counted. */
const WINDOW_MS = 60_000;

/**
 * Most new sessions of one agent in one window that count as ordinary. An agent with more may be
 * evading session ceilings.
 */
export const ORDINARY_SESSIONS_PER_WINDOW = 100;

/** Agents counted at once: bounds memory to a few megabytes. */
const MAX_AGENTS = 20_000;

/** An agent that opens new sessions faster than ordinary conversations would. */
export interface Churn {
  readonly org: string;
  readonly agentId: string;
  /** New sessions in the current window. */
  readonly sessions: number;
}

interface Window {
  startedAtMs: number;
  sessions: number;
}

/**
 * Notices agents that name a new session for every call, since a session ceiling cannot limit them. It calls
 * back once per agent and window, and denies nothing.
 */
export class SessionChurn {
  readonly #clock: MonotonicClock;
  readonly #onChurn: (churn: Churn) => void;
  readonly #windows = new Map<string, Window>();

  constructor(clock: MonotonicClock, onChurn: (churn: Churn) => void) {
    this.#clock = clock;
    this.#onChurn = onChurn;
  }

  /** Counts a session that is new to the activity window. */
  opened({ org, agentId }: { readonly org: string; readonly agentId: string }): void {
    const window = this.#window(`${org} ${agentId}`);
    window.sessions += 1;
    if (window.sessions !== ORDINARY_SESSIONS_PER_WINDOW + 1) return;
    this.#onChurn({ org, agentId: ownText(agentId), sessions: window.sessions });
  }

  #window(key: string): Window {
    const nowMs = this.#clock.nowMs();
    const known = this.#windows.get(key);
    if (known !== undefined && nowMs < known.startedAtMs + WINDOW_MS) return known;
    const window = { startedAtMs: nowMs, sessions: 0 };
    this.#windows.delete(key);
    this.#windows.set(ownText(key), window);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > MAX_AGENTS && oldest !== undefined) this.#windows.delete(oldest);
    return window;
  }
}
