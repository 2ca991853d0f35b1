import { createHash, randomBytes } from "node:crypto";
import type { MonotonicClock } from "@svc/process/clock";

/** Milliseconds that somebody may take at their provider. */
const ATTEMPT_MS = 10 * 60 * 1_000;

/** Logins that have begun at once, as count: some hundred bytes each. The oldest one gives way. */
const MAX_ATTEMPTS = 10_000;

/** Bytes of a value that nobody can guess. */
const SECRET_BYTES = 32;

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

interface Kept extends LoginAttempt {
  readonly browser: string;
  readonly endsAtMs: number;
}

/** Logins that wait for a provider to send somebody back, in memory. Each is used once. */
export class LoginAttempts {
  readonly #clock: MonotonicClock;
  /** By state, oldest first. */
  readonly #attempts = new Map<string, Kept>();

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  /** @param browser the secret of the cookie that the browser must still have when it comes back */
  begin(browser: string, { provider, to }: Pick<LoginAttempt, "provider" | "to">): LoginAttempt {
    const attempt = { state: secret(), nonce: secret(), verifier: secret(), provider, to };
    const [oldest] = this.#attempts.keys();
    if (this.#attempts.size >= MAX_ATTEMPTS && oldest !== undefined) this.#attempts.delete(oldest);
    const endsAtMs = this.#clock.nowMs() + ATTEMPT_MS;
    this.#attempts.set(attempt.state, { ...attempt, browser: digestOf(browser), endsAtMs });
    return attempt;
  }

  /** The attempt of this state, once, for the browser and the provider that it was begun with. */
  take(state: string, browser: string | null, provider: number): LoginAttempt | null {
    const found = this.#attempts.get(state);
    if (found === undefined) return null;
    this.#attempts.delete(state);
    const isSame = browser !== null && found.browser === digestOf(browser) && found.provider === provider;
    return isSame && this.#clock.nowMs() < found.endsAtMs ? found : null;
  }
}

function secret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
