import type { Principal } from "@svc/contract/principal";
import type { IdempotencyClaim } from "@svc/store/ports/claims";
import type { KeyedDigest } from "@svc/text/keyed-digest";

/**
 * Milliseconds for which a repeated call with the same key gets the same verdict. It is meant for a proxy's
 * retry, not for a later replay.
 */
export const IDEMPOTENCY_WINDOW_MS = 60_000;

/** The caller's own name for one call, and the digest of the body that came with it. */
export interface IdempotentCall {
  readonly idempotencyKey: string;
  readonly bodyDigest: string;
}

/** What the ledger stores about the key that a caller gave its call. */
export type ClaimedKey = Pick<IdempotencyClaim, "org" | "keyDigest" | "requestDigest" | "replaces">;

/**
 * A key belongs to the principal that chose it. Neither the key nor a plain digest of the body is stored: a
 * key may be a secret, and a body with few possible values could be guessed from its digest.
 */
export function claimedKey(
  digest: KeyedDigest,
  { org, id }: Principal,
  { idempotencyKey, bodyDigest }: IdempotentCall,
): ClaimedKey {
  return {
    org,
    keyDigest: digest.of(JSON.stringify(["idempotency key", id, idempotencyKey])),
    requestDigest: digest.of(JSON.stringify(["request", bodyDigest])),
    replaces: null,
  };
}
