import type { ClientSettings } from "./client-settings.ts";
import { postToGateway } from "./gateway.ts";

/** Milliseconds for one heartbeat. */
const HEARTBEAT_TIMEOUT_MS = 5_000;

/** Milliseconds for the one that ends a session: a run must not wait long for a gateway that is silent. */
const END_TIMEOUT_MS = 2_000;

/** Seconds to the next heartbeat when the gateway did not say how often. */
const UNKNOWN_INTERVAL_S = 10;

/** Shortest and longest time between two heartbeats, in seconds: no answer makes this a flood or silence. */
const MIN_INTERVAL_S = 1;
const MAX_INTERVAL_S = 3_600;

/** Of the interval that the gateway names: one heartbeat that is late is then not missed. */
const SHARE_OF_INTERVAL = 0.5;

/** Signs of life of one session, from the construction until `end`. A lost one is followed by the next. */
export class Heartbeats {
  readonly #settings: ClientSettings;
  readonly #path: string;
  readonly #sessionId: string;
  #timer: ReturnType<typeof setTimeout> | null = null;
  readonly #ending = new AbortController();
  #beating: Promise<void>;

  constructor(
    settings: ClientSettings,
    { agentId, sessionId }: { readonly agentId: string; readonly sessionId: string },
  ) {
    this.#settings = settings;
    this.#path = `/api/v1/agents/${encodeURIComponent(agentId)}/heartbeat`;
    this.#sessionId = sessionId;
    this.#beating = this.#beat();
  }

  /**
   * The session ended in good order: nobody waits for its heartbeats any more. Never rejects, and takes two
   * seconds at most. A heartbeat that is on its way is aborted.
   */
  async end(): Promise<void> {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#beating;
    await this.#send({ ended: true }, AbortSignal.timeout(END_TIMEOUT_MS));
  }

  async #beat(): Promise<void> {
    const signal = AbortSignal.any([AbortSignal.timeout(HEARTBEAT_TIMEOUT_MS), this.#ending.signal]);
    const seconds = (await this.#send({}, signal)) ?? UNKNOWN_INTERVAL_S;
    if (this.#ending.signal.aborted) return;
    const pauseS = Math.min(MAX_INTERVAL_S, Math.max(MIN_INTERVAL_S, seconds * SHARE_OF_INTERVAL));
    this.#timer = setTimeout(() => {
      this.#beating = this.#beat();
    }, pauseS * 1_000);
    // A process ends although a session is open. Only Node has this method.
    const timer = this.#timer as { unref?: () => void };
    timer.unref?.();
  }

  /** @returns the interval in seconds; null when the heartbeat did not arrive or the answer names none */
  async #send(ended: { readonly ended?: true }, signal: AbortSignal): Promise<number | null> {
    const body = JSON.stringify({ session_id: this.#sessionId, ...ended });
    try {
      const answer = await postToGateway(this.#settings, { path: this.#path, body, signal });
      if (answer.status !== 200) {
        await answer.body?.cancel();
        return null;
      }
      const { interval_seconds } = (await answer.json()) as { readonly interval_seconds?: unknown };
      return typeof interval_seconds === "number" ? interval_seconds : null;
    } catch {
      // The next heartbeat says the same. Silence is noticed by the gateway, which is what it is for.
      return null;
    }
  }
}
