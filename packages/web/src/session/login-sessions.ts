import { hash, randomBytes } from "node:crypto";
import type { Principal } from "@svc/contract/principal";
import type { Problem } from "@svc/contract/problem";
import type { MonotonicClock } from "@svc/process/clock";

/** Milliseconds that a login with an API key lasts. */
export const SESSION_MS = 15 * 60 * 1_000;

/**
 * Logins of the process at once, as count: some hundred bytes each. The oldest one of the organization that
 * has most of them gives way, so that no organization signs out another one.
 */
const MAX_SESSIONS = 1_000;

/** The same of one API key, as count. */
const MAX_SESSIONS_PER_KEY = 10;

/** Bytes of a session's secret. */
const SECRET_BYTES = 32;

export interface LoginSession {
  readonly principal: Principal;
  /** Why the key may not act any more; null while it may. */
  readonly refusal: () => Problem | null;
}

/** `unknown`: whether its key may still act cannot be checked now. The login stays. */
export type FoundSession =
  | { readonly kind: "session"; readonly session: LoginSession }
  | { readonly kind: "unknown"; readonly problem: Problem }
  | { readonly kind: "ended" };

const ENDED: FoundSession = { kind: "ended" };

interface Kept extends LoginSession {
  readonly endsAtMs: number;
}

/**
 * Logins with an API key in browsers, in the memory of this process. Only a digest of each session's
 * secret is kept. A session ends after its time, with its key, and with the process.
 */
export class LoginSessions {
  readonly #clock: MonotonicClock;
  /** By the digest of the secret, oldest first. */
  readonly #sessions = new Map<string, Kept>();

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  /** @returns the secret that the cookie holds */
  begin(session: LoginSession): string {
    const secret = newSecret();
    const mine = [...this.#sessions].filter(([, { principal }]) => isSame(principal, session.principal));
    if (mine.length >= MAX_SESSIONS_PER_KEY) this.#sessions.delete(mine[0]?.[0] ?? "");
    else if (this.#sessions.size >= MAX_SESSIONS) this.#sessions.delete(this.#givesWay());
    this.#sessions.set(digestOf(secret), { ...session, endsAtMs: this.#clock.nowMs() + SESSION_MS });
    return secret;
  }

  #givesWay(): string {
    const byOrg = Map.groupBy(this.#sessions, ([, { principal }]) => principal.org);
    const [most] = [...byOrg.values()].toSorted((one, other) => other.length - one.length);
    return most?.[0]?.[0] ?? "";
  }

  /** The login that the secret stands for, while its key may act. */
  find(secret: string): FoundSession {
    const digest = digestOf(secret);
    const found = this.#sessions.get(digest);
    if (found === undefined) return ENDED;
    const refusal = found.refusal();
    if (this.#clock.nowMs() < found.endsAtMs) {
      if (refusal === null) return { kind: "session", session: found };
      // The key may be as valid as before: only the store does not say so now.
      if (refusal.code === "unavailable") return { kind: "unknown", problem: refusal };
    }
    this.#sessions.delete(digest);
    return ENDED;
  }

  end(secret: string): void {
    this.#sessions.delete(digestOf(secret));
  }
}

/** 256 random bits that fit into a cookie. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString("hex");
}

function digestOf(secret: string): string {
  return hash("sha256", secret, "hex");
}

function isSame(one: Principal, other: Principal): boolean {
  return one.org === other.org && one.id === other.id;
}
