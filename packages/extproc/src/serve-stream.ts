import { failClosedDeny } from "@svc/contract/verdict";
import type { Judged } from "./judge-message.ts";
import type { Reporter } from "./reporter.ts";
import { type StreamRules, step } from "./stream/step.ts";
import {
  type Effect,
  type HttpMessage,
  initialState,
  owesVerdict,
  type Plan,
  pendingStage,
  type StreamEvent,
  type StreamState,
} from "./stream/stream-state.ts";
import { type Direction, readProcessingRequest, type WireRequest } from "./wire/processing-request.ts";
import { refuse, type WireResponse } from "./wire/processing-response.ts";

/** The operations on a stream of the proxy. A gRPC call implements them, or a test. */
export interface StreamCall {
  send(response: WireResponse): void;
  /** Ends with status OK. */
  end(): void;
  /** Ends with another status, after the messages that were sent. */
  fail(details: string): void;
}

export interface StreamOptions<Route> {
  readonly rules: StreamRules<Route>;
  /** Returns the ruling on a message. */
  readonly judge: (message: HttpMessage, route: Route, signal: AbortSignal) => Promise<Judged>;
  /** Called for each decision that allowed a call whose message did not go on. Never throws. */
  readonly reportNotExecuted: (decisionId: string) => void;
  /** Milliseconds that each stage may take: the receipt of a whole message, and its verdict. */
  readonly limits: { readonly collectMs: Readonly<Record<Direction, number>>; readonly judgeMs: number };
  readonly reporter: Reporter;
}

/** One stream being served. Every method may be called in any order, any number of times. */
export interface ServedStream {
  onMessage(message: WireRequest): void;
  onHalfClose(): void;
  /** Called when the proxy has gone. Nothing can be answered any more. */
  onCancelled(): void;
  shutDown(): void;
  /** Whether what the stream received still waits for a verdict. */
  owesVerdict(): boolean;
}

/** Serves one stream, on which nothing has arrived yet. */
export function serveStream<Route>(call: StreamCall, options: StreamOptions<Route>): ServedStream {
  const runner = new StreamRunner(call, options);
  return {
    onMessage: (message) => runner.dispatch({ kind: "message", message: readProcessingRequest(message) }),
    onHalfClose: () => runner.dispatch({ kind: "half_closed" }),
    onCancelled: () => runner.abandon(),
    shutDown: () => runner.dispatch({ kind: "shutdown" }),
    owesVerdict: () => runner.owesVerdict(),
  };
}

/** Passes events to the state machine and performs its effects. A defect refuses the request. */
class StreamRunner<Route> {
  readonly #call: StreamCall;
  readonly #options: StreamOptions<Route>;
  /** Aborts the pending question; null while there is none, because an AbortController is not cheap. */
  #asking: AbortController | null = null;
  #state: StreamState<Route> = initialState();
  #timer: { readonly stage: string; readonly handle: NodeJS.Timeout } | null = null;
  #over = false;

  constructor(call: StreamCall, options: StreamOptions<Route>) {
    this.#call = call;
    this.#options = options;
  }

  dispatch(event: StreamEvent): void {
    if (this.#over) return;
    try {
      const next = step(this.#state, event, this.#options.rules);
      this.#state = next.state;
      for (const effect of next.effects) this.#carryOut(effect);
      this.#watchTime();
      if (next.state.closed) this.#asking?.abort();
    } catch (error) {
      this.#failClosed(error);
    }
  }

  owesVerdict(): boolean {
    return owesVerdict(this.#state);
  }

  abandon(): void {
    if (!this.#over && owesVerdict(this.#state)) {
      this.#options.reporter.found("unjudged", "the proxy reset the stream before a verdict");
    }
    this.#finish();
  }

  #carryOut(effect: Effect<Route>): void {
    switch (effect.kind) {
      case "send":
        this.#call.send(effect.response);
        return;
      case "judge":
        this.#judge(effect.message, effect.plan);
        return;
      case "end":
        this.#finish();
        this.#call.end();
        return;
      case "fail":
        this.#finish();
        this.#call.fail(effect.details);
        return;
      case "refused":
        this.#options.reporter.refused(effect.cause, effect.verdict);
        return;
      case "report":
        this.#options.reporter.found(effect.name, effect.details);
    }
  }

  #judge(message: HttpMessage, { route }: Plan<Route>): void {
    const { judge, reporter, reportNotExecuted } = this.#options;
    const { direction } = message;
    const asking = new AbortController();
    this.#asking = asking;
    judge(message, route, asking.signal)
      .then(({ ruling, allowed }) => {
        this.#asking = null;
        reporter.ruled(direction, ruling);
        this.dispatch({ kind: "ruling", direction, ruling });
        // The message was refused for another of its calls, its rewrite is impossible, or the verdict came
        // too late. None of its calls runs.
        if (this.#state.legs[direction].stage !== "released") allowed.forEach(reportNotExecuted);
      })
      .catch((error: unknown) => this.#failClosed(error));
  }

  /**
   * Each stage has its own limit, because a client may send a message slowly while a verdict must be quick.
   */
  #watchTime(): void {
    const { collectMs, judgeMs } = this.#options.limits;
    const stage = this.#over ? null : pendingStage(this.#state);
    if (stage === (this.#timer?.stage ?? null)) return;
    clearTimeout(this.#timer?.handle);
    this.#timer = null;
    if (stage === null) return;
    const handle = setTimeout(
      () => this.dispatch({ kind: "expired" }),
      stage === "judging" ? judgeMs : collectMs[this.#state.plan?.judges ?? "request"],
    );
    this.#timer = { stage, handle };
  }

  #failClosed(error: unknown): void {
    this.#options.reporter.defect(error);
    if (this.#over) return;
    this.#finish();
    if (owesVerdict(this.#state)) {
      const deny = failClosedDeny("internal_error", "The adapter failed before a verdict was obtained.");
      this.#call.send(refuse(deny));
    }
    this.#call.fail("internal error");
  }

  #finish(): void {
    this.#over = true;
    clearTimeout(this.#timer?.handle);
    this.#asking?.abort();
  }
}
