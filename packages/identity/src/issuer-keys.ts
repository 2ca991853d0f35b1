import type { OutboundFetch } from "@svc/outbound/outbound-fetch";
import type { MonotonicClock } from "@svc/process/clock";
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from "jose";

/** Milliseconds for which the document of an issuer is used. */
const DISCOVERY_MS = 60 * 60 * 1_000;

/** Milliseconds for which keys are used without asking again. A key that is not among them is asked for. */
const KEYS_MS = 10 * 60 * 1_000;

/** Seconds between two questions for a key that an issuer does not have: anybody can name one. */
export const COOLDOWN_S = 30;

/** Issuers whose keys are kept, as count: those of trust rules and of logins. */
const MAX_ISSUERS = 1_000;

/** The keys of an issuer could not be read. The message says why. */
export class IssuerUnreachableError extends Error {
  override readonly name = "IssuerUnreachableError";
}

/** The issuer may have published the key of a token since it was asked, and is not asked again so soon. */
export class UnknownKeyError extends Error {
  override readonly name = "UnknownKeyError";
}

interface Known {
  readonly keys: JWTVerifyGetKey;
  readonly untilMs: number;
}

export interface IssuerKeysParts {
  readonly fetch: OutboundFetch;
  readonly clock: MonotonicClock;
}

/** The public keys of issuers, read when a token needs them. */
export class IssuerKeys {
  readonly #parts: IssuerKeysParts;
  readonly #known = new Map<string, Known>();

  constructor(parts: IssuerKeysParts) {
    this.#parts = parts;
  }

  /** @param jwksUri null: where the discovery of the issuer says. @throws IssuerUnreachableError */
  async of(issuer: string, jwksUri: string | null): Promise<JWTVerifyGetKey> {
    const name = JSON.stringify([issuer, jwksUri]);
    const known = this.#known.get(name);
    const nowMs = this.#parts.clock.nowMs();
    if (known !== undefined && nowMs < known.untilMs) return known.keys;
    const url = jwksUri ?? (await this.#discover(issuer));
    const remote = createRemoteJWKSet(new URL(url), {
      cacheMaxAge: KEYS_MS,
      cooldownDuration: COOLDOWN_S * 1_000,
      [customFetch]: this.#parts.fetch,
    });
    const keys: JWTVerifyGetKey = async (header, token) => {
      const justAsked = remote.coolingDown;
      try {
        return await remote(header, token);
      } catch (error) {
        if (error instanceof errors.JWKSNoMatchingKey && justAsked) throw new UnknownKeyError();
        if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
          throw error;
        throw new IssuerUnreachableError(`${url}: ${messageOf(error)}`);
      }
    };
    if (this.#known.size >= MAX_ISSUERS) this.#known.delete([...this.#known.keys()][0] ?? "");
    this.#known.set(name, { keys, untilMs: nowMs + DISCOVERY_MS });
    return keys;
  }

  async #discover(issuer: string): Promise<string> {
    const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    try {
      const answer = await this.#parts.fetch(url, { method: "GET", headers: { accept: "application/json" } });
      if (answer.status !== 200) throw new Error(`expected status 200, found ${String(answer.status)}`);
      const { issuer: named, jwks_uri: keys } = (await answer.json()) as Record<string, unknown>;
      if (named !== issuer) throw new Error(`expected the issuer ${issuer}, found ${String(named)}`);
      if (typeof keys !== "string" || !URL.canParse(keys)) throw new Error("expected a jwks_uri, found none");
      return keys;
    } catch (error) {
      throw new IssuerUnreachableError(`${url}: ${messageOf(error)}`);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
