import type { DecideOptions } from "@svc/contract/decide";
import { renderExecuteBody } from "@svc/contract/execute-body";
import type { ExecuteRequest } from "@svc/contract/execute-request";
import { IDEMPOTENCY_KEY_EXPECTATION, isIdempotencyKey } from "@svc/contract/idempotency-key";
import { type DenyVerdict, failClosedDeny, type Verdict } from "@svc/contract/verdict";
import type { ExchangeListener, GatewayAnswer } from "./answer-reader.ts";
import { denyAbandoned, denyDefect, denyExpired, denyOverloaded, denyUnreachable } from "./client-deny.ts";
import type { Deadlines, Waiting } from "./deadlines.ts";
import type { DecisionClientSettings } from "./decision-client-settings.ts";
import { explainRefusal } from "./explain-refusal.ts";
import type { FairShare, Turn } from "./fair-share.ts";
import type { GatewayExchange, SentRequest } from "./gateway-exchange.ts";
import { readVerdict } from "./read-verdict.ts";

const EXECUTE_PATH = "/api/v1/gateway/execute";

/** What all questions of one client share. */
export interface Asking {
  readonly settings: DecisionClientSettings;
  readonly exchange: GatewayExchange;
  /** The questions of one agent must not take every connection. */
  readonly share: FairShare;
  readonly deadlines: Deadlines;
  /** Called for every deny with `fail_closed`. */
  readonly onFault: (deny: DenyVerdict) => void;
}

/**
 * One question: the first of its answer, its failure and its deadline settles it, and the first verdict
 * counts. It is one object in the list of deadlines, in the queue of its agent and at the exchange, because
 * there is one for each call: what it allocates is garbage that delays other calls.
 */
export class PendingQuestion implements Waiting, Turn, ExchangeListener {
  readonly #asking: Asking;
  readonly #resolve: (verdict: Verdict) => void;
  #isSettled = false;
  #body = "";
  #idempotencyKey: string | undefined;
  #traceparent: string | undefined;
  #signal: AbortSignal | undefined;
  #sent: SentRequest | null = null;
  agentId = "";
  state: Turn["state"] = "outside";
  startedMs = 0;
  earlier: Waiting | null = null;
  later: Waiting | null = null;

  constructor(asking: Asking, resolve: (verdict: Verdict) => void) {
    this.#asking = asking;
    this.#resolve = resolve;
  }

  /** Called once. Never throws. */
  ask(call: ExecuteRequest, options: DecideOptions): void {
    try {
      this.#ask(call, options);
    } catch {
      this.#settle(denyDefect());
    }
  }

  #ask(call: ExecuteRequest, { idempotencyKey, signal, traceparent }: DecideOptions): void {
    const body = tryRenderBody(call);
    if (body === null)
      return this.#settle(failClosedDeny("request_malformed", "The call cannot be written as JSON."));
    if (idempotencyKey !== undefined && !isIdempotencyKey(idempotencyKey)) {
      const reason = `Idempotency-Key: expected ${IDEMPOTENCY_KEY_EXPECTATION}.`;
      return this.#settle(failClosedDeny("request_malformed", reason));
    }
    if (signal?.aborted === true) return this.#settle(denyAbandoned());
    this.#body = body;
    this.#idempotencyKey = idempotencyKey;
    this.#traceparent = traceparent;
    this.agentId = call.agent_id;
    this.#asking.deadlines.begin(this);
    signal?.addEventListener("abort", this, { once: true });
    this.#signal = signal;
    if (this.#asking.share.enter(this) === "full") this.#settle(denyOverloaded());
  }

  /** Its agent has its turn: sends the question once. */
  start(): void {
    try {
      this.#sent = this.#asking.exchange.send(
        {
          method: "POST",
          path: EXECUTE_PATH,
          body: this.#body,
          idempotencyKey: this.#idempotencyKey,
          traceparent: this.#traceparent,
        },
        this,
      );
    } catch {
      this.#settle(denyDefect());
    }
  }

  onAnswer(answer: GatewayAnswer): void {
    try {
      this.#settle(this.#lateness() ?? verdictOf(answer, this.#asking.settings));
    } catch {
      // A defect in reading an answer must also end the wait, because nothing else would.
      this.#settle(denyDefect());
    }
  }

  onError(error: unknown): void {
    try {
      this.#settle(this.#lateness() ?? denyUnreachable(error));
    } catch {
      this.#settle(denyDefect());
    }
  }

  onExpired(): void {
    this.#giveUp(denyExpired(this.#asking.settings.timeoutMs));
  }

  /** The caller's own signal was aborted. */
  handleEvent(): void {
    this.#giveUp(denyAbandoned());
  }

  #lateness(): DenyVerdict | null {
    if (this.#signal?.aborted === true) return denyAbandoned();
    const { deadlines, settings } = this.#asking;
    return deadlines.isOver(this) ? denyExpired(settings.timeoutMs) : null;
  }

  #giveUp(deny: DenyVerdict): void {
    if (this.#isSettled) return;
    this.#deliver(deny);
    try {
      this.#sent?.giveUp();
    } finally {
      this.#end();
    }
  }

  #settle(verdict: Verdict): void {
    if (this.#isSettled) return;
    this.#deliver(verdict);
    this.#end();
  }

  #deliver(verdict: Verdict): void {
    this.#isSettled = true;
    if (verdict.decision === "deny" && verdict.fail_closed) this.#report(verdict);
    this.#resolve(verdict);
  }

  #end(): void {
    this.#asking.deadlines.end(this);
    this.#asking.share.leave(this);
    this.#signal?.removeEventListener("abort", this);
  }

  #report(deny: DenyVerdict): void {
    try {
      this.#asking.onFault(deny);
    } catch {
      // A report of a deny must not be able to undo it.
    }
  }
}

function verdictOf(answer: GatewayAnswer, settings: DecisionClientSettings): Verdict {
  const isRefusal = answer.status < 200 || answer.status > 299;
  return isRefusal && settings.explainsRefusals === true
    ? explainRefusal(answer, settings)
    : readVerdict(answer);
}

function tryRenderBody(call: ExecuteRequest): string | null {
  try {
    return renderExecuteBody(call);
  } catch {
    return null;
  }
}
