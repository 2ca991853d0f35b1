import { faultFields } from "@svc/contract/fault-fields";
import { REQUEST_KEY_LIFETIME_MS } from "@svc/contract/limits";
import type { Principal } from "@svc/contract/principal";
import { NOTHING_CHANGED, type ProblemCode, problem } from "@svc/contract/problem";
import type { WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { BegunRequest, RequestClaim, RequestKeyStore } from "@svc/store/ports/request-key-store";
import type { AnyReply } from "../routes/handler.ts";
import { OwnAttempts } from "./own-attempts.ts";
import { rememberedAnswer, repeatedReply } from "./remembered-answer.ts";

export interface AnswerOnceParts {
  readonly keys: RequestKeyStore;
  readonly clock: WallClock;
  readonly log: Logger;
}

/** A request that came with an Idempotency-Key. */
export interface KeyedRequest {
  readonly principal: Pick<Principal, "org" | "id">;
  readonly operation: string;
  readonly keyDigest: string;
  readonly requestDigest: string;
  /**
   * Whether running the operation twice does no more than running it once. Such an operation is never
   * refused for the sake of its key.
   */
  readonly mayRepeat: boolean;
}

export interface OnceReply {
  readonly reply: AnyReply;
  /** Whether this is the answer to an earlier request. */
  readonly isRepeated: boolean;
}

/** Milliseconds after which an attempt of another process cannot be running any more. */
const LONGEST_ATTEMPT_MS = 60_000;

/** Seconds after which a caller may ask again about a request that is being carried out. */
const RETRY_AFTER_S = "1";

/** Refusals that say for sure that nothing was changed, although they do not blame the request. */
const NOTHING_DONE: ReadonlySet<ProblemCode> = new Set([
  "too_many_requests",
  "overloaded",
  "compiler_unavailable",
]);

const NOT_BEGUN =
  `The store did not confirm the Idempotency-Key, so the request was not carried out. ${NOTHING_CHANGED}. ` +
  "Repeat it with the same key; repeating is safe.";

/**
 * Carries out each request with an Idempotency-Key at most once, and gives every repeat the same answer.
 *
 * The key is durable before the operation begins, and the answer before it is sent. A refusal frees the key.
 * When nobody knows whether the operation took effect, every repeat is refused until the key expires: the
 * caller has to look, and this never runs the operation a second time.
 */
export class AnswerOnce {
  readonly #parts: AnswerOnceParts;
  readonly #own = new OwnAttempts();

  constructor(parts: AnswerOnceParts) {
    this.#parts = parts;
  }

  async run(request: KeyedRequest, operation: () => Promise<AnyReply>): Promise<OnceReply> {
    const attempt = this.#own.start();
    try {
      const begun = await this.#begin(request, attempt);
      return begun.kind === "begun"
        ? { reply: await this.#carryOut(request, attempt, operation), isRepeated: false }
        : await this.#answerOf(request, begun, operation);
    } finally {
      this.#own.end(attempt);
    }
  }

  /** Takes the key, also from an attempt that is known to have done nothing or that may run again. */
  async #begin(
    request: KeyedRequest,
    attempt: string,
  ): Promise<BegunRequest | { readonly kind: "unavailable" }> {
    try {
      const begun = await this.#parts.keys.begin(this.#claim(request, attempt, null));
      if (begun.kind !== "unanswered" || !this.#isReplaceable(request, begun.attempt)) return begun;
      return await this.#parts.keys.begin(this.#claim(request, attempt, begun.attempt));
    } catch (error) {
      this.#own.noteNotBegun(attempt);
      this.#parts.log.error(faultFields(error), "the store did not take an idempotency key");
      return { kind: "unavailable" };
    }
  }

  #isReplaceable({ mayRepeat }: KeyedRequest, holder: string): boolean {
    return this.#own.didNotBegin(holder) || (mayRepeat && !this.#own.isRunning(holder));
  }

  #claim(request: KeyedRequest, attempt: string, replaces: string | null): RequestClaim {
    const { principal, operation, keyDigest, requestDigest } = request;
    const atMs = this.#parts.clock.now().getTime();
    const expiresAtMs = atMs + REQUEST_KEY_LIFETIME_MS;
    const key = { org: principal.org, principal: principal.id, keyDigest };
    return { ...key, attempt, operation, requestDigest, atMs, expiresAtMs, replaces };
  }

  async #answerOf(
    { mayRepeat, operation: name }: KeyedRequest,
    begun: Exclude<BegunRequest, { kind: "begun" }> | { readonly kind: "unavailable" },
    operation: () => Promise<AnyReply>,
  ): Promise<OnceReply> {
    switch (begun.kind) {
      case "answered":
        return { reply: repeatedReply(begun.answer), isRepeated: true };
      case "unanswered":
        return { reply: this.#refuseUnanswered(begun), isRepeated: false };
      case "other_request":
        return { reply: refuseReuse(name, begun.operation), isRepeated: false };
      case "too_many":
        return { reply: mayRepeat ? await operation() : TOO_MANY, isRepeated: false };
      case "unavailable":
        return { reply: mayRepeat ? await operation() : UNAVAILABLE, isRepeated: false };
    }
  }

  #refuseUnanswered({ attempt, startedAtMs }: { attempt: string; startedAtMs: number }): AnyReply {
    const ageMs = this.#parts.clock.now().getTime() - startedAtMs;
    const mayRun = this.#own.isOwn(attempt) ? this.#own.isRunning(attempt) : ageMs < LONGEST_ATTEMPT_MS;
    return mayRun ? IN_FLIGHT : UNKNOWN;
  }

  /** An operation that throws leaves its key without an answer, because it may have taken effect. */
  async #carryOut(
    { principal, keyDigest }: KeyedRequest,
    attempt: string,
    operation: () => Promise<AnyReply>,
  ): Promise<AnyReply> {
    const reply = await operation();
    const held = { org: principal.org, principal: principal.id, keyDigest, attempt };
    try {
      if (reply.kind === "json" || reply.kind === "text")
        await this.#parts.keys.finish({ ...held, answer: rememberedAnswer(reply) });
      else if (changedNothing(reply)) await this.#parts.keys.release(held);
    } catch (error) {
      // The caller gets this answer. Only a repeat must look for itself.
      this.#parts.log.error(faultFields(error), "the store did not keep the answer of an idempotency key");
    }
    return reply;
  }
}

/** Every refusal that blames the request comes before its change, or in place of it. */
function changedNothing(reply: AnyReply): boolean {
  if (reply.kind !== "problem") return false;
  return reply.problem.status < 500 || NOTHING_DONE.has(reply.problem.code);
}

const UNAVAILABLE: AnyReply = { kind: "problem", problem: problem("unavailable", NOT_BEGUN) };

const IN_FLIGHT: AnyReply = {
  kind: "problem",
  problem: problem(
    "request_in_flight",
    "A request with this Idempotency-Key is being carried out. Repeat it after Retry-After for its answer.",
  ),
  headers: { "retry-after": RETRY_AFTER_S },
};

const UNKNOWN: AnyReply = {
  kind: "problem",
  problem: problem(
    "outcome_unknown",
    "A request with this Idempotency-Key began and has no answer: the server ended or its store failed " +
      "meanwhile. Look whether it took effect. If it did not, repeat it with a new key.",
  ),
};

const TOO_MANY: AnyReply = {
  kind: "problem",
  problem: problem(
    "limit_reached",
    "This API key has as many Idempotency-Keys as can be remembered. Each is forgotten after 24 hours. " +
      "Send the request without the header, or spread the work over several API keys.",
  ),
};

function refuseReuse(operation: string, earlier: string): AnyReply {
  const what = operation === earlier ? `another request for ${operation}` : `a request for ${earlier}`;
  const detail = `This Idempotency-Key was used with ${what}. Use a new key for a new request.`;
  return { kind: "problem", problem: problem("idempotency_key_reused", detail) };
}
