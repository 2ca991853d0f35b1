import type {
  IdentityTokens,
  ProvedToken,
  TokenOfIssuer,
  UnprovedToken,
} from "@svc/control-plane/identity-tokens";
import type { OutboundFetch } from "@svc/outbound/outbound-fetch";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import { decodeJwt, errors, type JWTPayload, jwtVerify } from "jose";
import { COOLDOWN_S, IssuerKeys, IssuerUnreachableError, UnknownKeyError } from "./issuer-keys.ts";

/** Signatures with a public key. An HMAC needs a secret that nobody but the issuer has. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

/** Seconds that the clock of an issuer may differ from that of this server. */
export const CLOCK_SKEW_S = 60;

/** Hours: a token is used soon after it was made. The longest-lived, of Kubernetes, are renewed each day. */
const MAX_AGE_H = 25;

const MS_PER_S = 1_000;

export interface IssuerTokensParts {
  readonly fetch: OutboundFetch;
  readonly clock: MonotonicClock & WallClock;
}

/** Proves tokens with the keys that their issuers publish. */
export class IssuerTokens implements Pick<IdentityTokens, "read" | "prove"> {
  readonly #keys: IssuerKeys;
  readonly #clock: WallClock;

  constructor(parts: IssuerTokensParts) {
    this.#keys = new IssuerKeys(parts);
    this.#clock = parts.clock;
  }

  async read(token: string): Promise<UnprovedToken | null> {
    const payload = payloadOf(token);
    if (payload === null) return null;
    const { iss: issuer, sub: subject, aud = [] } = payload;
    const audiences = [aud].flat().filter((each) => typeof each === "string");
    if (typeof issuer !== "string" || typeof subject !== "string" || audiences.length === 0) return null;
    return { issuer, subject, audiences };
  }

  async prove({ token, issuer, audience, jwksUri }: TokenOfIssuer): Promise<ProvedToken> {
    const currentDate = this.#clock.now();
    try {
      const keys = await this.#keys.of(issuer, jwksUri);
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_SKEW_S,
        maxTokenAge: `${String(MAX_AGE_H)}h`,
        requiredClaims: ["sub", "exp", "iat"],
        currentDate,
      });
      return { kind: "proved", claims: payload };
    } catch (error) {
      if (error instanceof IssuerUnreachableError) return { kind: "unreachable", reason: error.message };
      if (error instanceof UnknownKeyError) return { kind: "unknown_key", retryS: COOLDOWN_S };
      if (error instanceof errors.JOSEError) return { kind: "refused", reason: reasonOf(error, currentDate) };
      throw error;
    }
  }
}

function payloadOf(token: string): JWTPayload | null {
  try {
    return decodeJwt(token);
  } catch {
    return null;
  }
}

/** Why a token proves nothing, with the clocks where these decide. */
function reasonOf(error: errors.JOSEError, now: Date): string {
  const here = `the clock of this server says ${now.toISOString()}`;
  if (error instanceof errors.JWTExpired && error.claim === "iat") {
    const made = timeOf(error.payload.iat);
    return `it was made at ${made}, over ${String(MAX_AGE_H)} hours ago, and ${here}; get a new one`;
  }
  if (error instanceof errors.JWTExpired)
    return `it ended at ${timeOf(error.payload.exp)}, and ${here}; get a new one, or set the clock`;
  if (isTooEarly(error)) {
    const from = timeOf(error.payload[error.claim]);
    return `it holds from ${from} on, and ${here}: one of the two clocks is wrong`;
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return "its signature is not of its issuer";
  if (error instanceof errors.JWKSNoMatchingKey) return "its issuer has no key that could have signed it";
  return error.message;
}

/** The claim is a time, and lies in the future: a missing or malformed one has another reason. */
function isTooEarly(error: errors.JOSEError): error is errors.JWTClaimValidationFailed {
  if (!(error instanceof errors.JWTClaimValidationFailed) || error.reason !== "check_failed") return false;
  return error.claim === "nbf" || error.claim === "iat";
}

function timeOf(seconds: unknown): string {
  return typeof seconds === "number" && Number.isFinite(seconds) && Math.abs(seconds) < 1e11
    ? new Date(seconds * MS_PER_S).toISOString()
    : "no time";
}
