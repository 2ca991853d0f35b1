import type { ClientSettings } from "./client-settings.ts";
import { postToGateway } from "./gateway.ts";

/** Milliseconds for one heartbeat. */
const HEARTBEAT_TIMEOUT_MS = 5_000;

/** Milliseconds for the one that ends a session: a run must not wait long for a gateway that is silent. */
const END_TIMEOUT_MS = 2_000;

/** Milliseconds for which an end is sent again while the gateway is away. An end that is lost is silence. */
const END_REPEATED_MS = 60_000;

/** Milliseconds between two of these. */
const END_PAUSE_MS = 1_000;

/** Seconds to the next heartbeat when the gateway did not say how often. */
const UNKNOWN_INTERVAL_S = 10;

/** Shortest and longest time between two heartbeats, in seconds: no answer makes this a flood or silence. */
const MIN_INTERVAL_S = 1;
const MAX_INTERVAL_S = 3_600;

/** Of the interval that the gateway names: one heartbeat that is late is then not missed. */
const SHARE_OF_INTERVAL = 0.5;

/** Whose heartbeats these are. */
export interface HeartbeatOf {
  readonly agentId: string;
  readonly sessionId: string;
  /** The session of the run around: without a parent, the session counts as one that nobody began. */
  readonly parentSessionId?: string | undefined;
}

/** Sessions that have not ended. */
const open = new Set<Heartbeats>();

let isExitWatched = false;

/** Signs of life of one session, from the construction until `end`. A lost one is followed by the next. */
export class Heartbeats {
  readonly #settings: ClientSettings;
  readonly #path: string;
  readonly #session: object;
  #timer: Timer | null = null;
  readonly #ending = new AbortController();
  #beating: Promise<void>;

  constructor(settings: ClientSettings, { agentId, sessionId, parentSessionId }: HeartbeatOf) {
    this.#settings = settings;
    this.#path = `/api/v1/agents/${encodeURIComponent(agentId)}/heartbeat`;
    const parent = parentSessionId === undefined ? {} : { parent_session_id: parentSessionId };
    this.#session = { session_id: sessionId, ...parent };
    this.#beating = this.#beat();
    open.add(this);
    watchExit();
  }

  /**
   * The session ended in good order: nobody waits for its heartbeats any more. Never rejects, and takes two
   * seconds at most. A heartbeat that is on its way is aborted. While the process lives, an end that does not
   * arrive is sent again for a minute.
   */
  async end(): Promise<void> {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort();
    open.delete(this);
    this.#timer?.cancel();
    await this.#beating;
    await this.#end(performance.now() + END_REPEATED_MS);
  }

  async #end(untilMs: number): Promise<void> {
    const sent = await this.#send({ ended: true }, AbortSignal.timeout(END_TIMEOUT_MS));
    if (sent !== null || performance.now() >= untilMs) return;
    startTimer(() => void this.#end(untilMs), END_PAUSE_MS);
  }

  async #beat(): Promise<void> {
    const signal = AbortSignal.any([AbortSignal.timeout(HEARTBEAT_TIMEOUT_MS), this.#ending.signal]);
    const seconds = (await this.#send({}, signal)) ?? UNKNOWN_INTERVAL_S;
    if (this.#ending.signal.aborted) return;
    const pauseS = Math.min(MAX_INTERVAL_S, Math.max(MIN_INTERVAL_S, seconds * SHARE_OF_INTERVAL));
    this.#timer = startTimer(() => {
      this.#beating = this.#beat();
    }, pauseS * 1_000);
  }

  /** @returns the interval in seconds; null when it did not arrive, or when a repeat may be taken */
  async #send(ended: { readonly ended?: true }, signal: AbortSignal): Promise<number | null> {
    const body = JSON.stringify({ ...this.#session, ...ended });
    try {
      const answer = await postToGateway(this.#settings, { path: this.#path, body, signal });
      if (answer.status !== 200) {
        await answer.body?.cancel();
        return answer.status === 429 || answer.status >= 500 ? null : UNKNOWN_INTERVAL_S;
      }
      const { interval_seconds } = (await answer.json()) as { readonly interval_seconds?: unknown };
      return typeof interval_seconds === "number" ? interval_seconds : UNKNOWN_INTERVAL_S;
    } catch {
      // The next heartbeat says the same. Silence is noticed by the gateway, which is what it is for.
      return null;
    }
  }
}

interface Timer {
  cancel(): void;
}

/** A timer for which no process lives on. */
function startTimer(fire: () => void, afterMs: number): Timer {
  const timer = setTimeout(fire, afterMs);
  // Only Node has this method.
  (timer as { unref?: () => void }).unref?.();
  return { cancel: () => clearTimeout(timer) };
}

/** A process that has nothing more to do ends the sessions that are open. Not every platform tells that. */
function watchExit(): void {
  if (isExitWatched) return;
  isExitWatched = true;
  const { process } = globalThis as {
    readonly process?: { readonly on?: (event: "beforeExit", call: () => void) => unknown };
  };
  process?.on?.("beforeExit", () => {
    for (const each of open) void each.end();
  });
}
