/** Names one key of one caller. Keys of several callers have nothing to do with each other. */
export interface RequestKey {
  readonly org: string;
  readonly principal: string;
  /** A digest, so that the store never holds a caller's key. */
  readonly keyDigest: string;
}

/** One attempt to run a request under its key. */
export interface RequestAttempt extends RequestKey {
  /** Unique for each attempt. Only the attempt that holds the key can finish or release it. */
  readonly attempt: string;
}

export interface RequestClaim extends RequestAttempt {
  /** The operation that the request asks for. */
  readonly operation: string;
  /** Equal for equal requests. */
  readonly requestDigest: string;
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly expiresAtMs: number;
  /** The attempt of the same request that gives its key to this one, unless it has an answer by now. */
  readonly replaces: string | null;
}

/** An answer as it is given again. */
export interface RememberedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: it was too long to remember. */
  readonly body: Uint8Array | null;
}

export type BegunRequest =
  /** This attempt has the key now, durably: the request may run. */
  | { readonly kind: "begun" }
  /** Another attempt has the key and no answer. It may be running, or its process may have ended. */
  | { readonly kind: "unanswered"; readonly attempt: string; readonly startedAtMs: number }
  | { readonly kind: "answered"; readonly answer: RememberedAnswer }
  | { readonly kind: "other_request"; readonly operation: string }
  | { readonly kind: "too_many" };

/** Requests that change something, remembered by the key that their caller gave them. */
export interface RequestKeyStore {
  begin(claim: RequestClaim): Promise<BegunRequest>;
  /** Remembers the answer until the key expires. Nothing happens when the attempt no longer has the key. */
  finish(finished: RequestAttempt & { readonly answer: RememberedAnswer }): Promise<void>;
  /** Frees the key of an attempt that has changed nothing. */
  release(attempt: RequestAttempt): Promise<void>;
  /** Removes at most `limit` keys that have expired at that time. Resolves with how many. */
  removeExpired(atMs: number, limit: number): Promise<number>;
}
