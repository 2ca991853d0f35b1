import type { WallClock } from "@svc/process/clock";
import type { PageKey } from "./page-key.ts";

/** Milliseconds that somebody may take at their provider. */
const ATTEMPT_MS = 10 * 60 * 1_000;

/** A login that somebody has begun at a provider. */
export interface LoginAttempt {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. The provider gets only its digest before it has sent the person back. */
  readonly verifier: string;
  /** Which provider, by its place in the settings. */
  readonly provider: number;
  /** The page to show afterwards. */
  readonly to: string;
}

/**
 * Logins that wait for a provider to send somebody back. Nothing is kept: the state holds the attempt, sealed
 * for its browser and its provider, and nonce and verifier follow from the state. So each process of the
 * deployment finishes what another one began. That an answer counts once is due to its code.
 */
export class LoginAttempts {
  readonly #key: PageKey;
  readonly #clock: WallClock;

  constructor(key: PageKey, clock: WallClock) {
    this.#key = key;
    this.#clock = clock;
  }

  /** @param browser the value of the cookie that the browser must still have when it comes back */
  begin(browser: string, { provider, to }: Pick<LoginAttempt, "provider" | "to">): LoginAttempt {
    const endsAtMs = this.#clock.now().getTime() + ATTEMPT_MS;
    const state = this.#key.seal(placeOf(browser, provider), `${String(endsAtMs)} ${to}`);
    return this.#attempt(state, { provider, to });
  }

  /** The attempt of this state, for the browser and the provider that it was begun with. */
  find(state: string, browser: string | null, provider: number): LoginAttempt | null {
    const text = browser === null ? null : this.#key.open(placeOf(browser, provider), state);
    const [, endsAtMs = "", to = ""] = /^(\d+) (.+)$/.exec(text ?? "") ?? [];
    if (this.#clock.now().getTime() >= Number(endsAtMs)) return null;
    return this.#attempt(state, { provider, to });
  }

  #attempt(state: string, { provider, to }: Pick<LoginAttempt, "provider" | "to">): LoginAttempt {
    const [nonce, verifier] = [this.#key.derive("nonce", state), this.#key.derive("verifier", state)];
    return { state, nonce, verifier, provider, to };
  }
}

function placeOf(browser: string, provider: number): readonly string[] {
  return ["login attempt", browser, String(provider)];
}
