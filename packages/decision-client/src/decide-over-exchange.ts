import type { Decide, DecideOptions } from "@svc/contract/decide";
import { renderExecuteBody } from "@svc/contract/execute-body";
import type { ExecuteRequest } from "@svc/contract/execute-request";
import { IDEMPOTENCY_KEY_EXPECTATION, isIdempotencyKey } from "@svc/contract/idempotency-key";
import { type DenyVerdict, failClosedDeny, type Verdict } from "@svc/contract/verdict";
import type { GatewayAnswer } from "./answer-reader.ts";
import { MAX_CONNECTIONS } from "./connections.ts";
import { type DeadlineCause, startDeadline } from "./deadline.ts";
import type { DecisionClientSettings } from "./decision-client-settings.ts";
import { FairShare, MAX_WAITING_PER_AGENT } from "./fair-share.ts";
import type { GatewayExchange } from "./gateway-exchange.ts";
import { readVerdict } from "./read-verdict.ts";
import { tellRefusal } from "./tell-refusal.ts";
import { transportCode } from "./transport-code.ts";

const EXECUTE_PATH = "/api/v1/gateway/execute";

/** The client that all adapters share. It turns every fault into a deny with `fail_closed`. */
export interface DecisionClient {
  readonly decide: Decide;
  /** Closes all connections at once. Pending questions are denied. */
  close(): Promise<void>;
}

export interface DecisionClientPorts {
  /** Milliseconds that only move forward. */
  readonly monotonicMs: () => number;
  /**
   * Called for every deny with `fail_closed`, ours or the gateway's own, for logs and metrics. If it throws,
   * the deny stays.
   */
  readonly onFault: (deny: DenyVerdict) => void;
}

/** The client never throws and never rejects. It closes the exchange when it is closed. */
export function decideOverExchange(
  exchange: GatewayExchange,
  settings: DecisionClientSettings,
  ports: DecisionClientPorts,
): DecisionClient {
  const share = new FairShare(MAX_CONNECTIONS);
  const decide: Decide = (call, options) =>
    new Promise((resolve) => {
      const settle = once((verdict) => {
        if (verdict.decision === "deny" && verdict.fail_closed) report(verdict, ports);
        resolve(verdict);
      });
      try {
        ask(call, options, { settings, ports, exchange, share, settle });
      } catch {
        settle(denyDefect());
      }
    });
  return { decide, close: () => exchange.close() };
}

interface Deps {
  readonly settings: DecisionClientSettings;
  readonly ports: DecisionClientPorts;
  readonly exchange: GatewayExchange;
  /** The questions of one agent must not take every connection. */
  readonly share: FairShare;
  /** The first verdict counts. */
  readonly settle: (verdict: Verdict) => void;
}

function ask(call: ExecuteRequest, options: DecideOptions = {}, deps: Deps): void {
  const { idempotencyKey, signal } = options;
  const { settle } = deps;
  const body = tryRenderBody(call);
  if (body === null)
    return settle(failClosedDeny("request_malformed", "The call cannot be written as JSON."));
  if (idempotencyKey !== undefined && !isIdempotencyKey(idempotencyKey)) {
    const reason = `Idempotency-Key: expected ${IDEMPOTENCY_KEY_EXPECTATION}.`;
    return settle(failClosedDeny("request_malformed", reason));
  }
  if (signal?.aborted === true) return settle(denyLate("abandoned", deps.settings.timeoutMs));
  askWithin({ agentId: call.agent_id, body, idempotencyKey, signal }, deps);
}

interface Question {
  readonly agentId: string;
  readonly body: string;
  readonly idempotencyKey: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends the question once, when its agent has its turn; whichever comes first of its answer, its failure and
 * the deadline settles it.
 */
function askWithin({ agentId, body, idempotencyKey, signal }: Question, deps: Deps): void {
  const { settings, ports, exchange, share, settle } = deps;
  const { timeoutMs } = settings;
  let giveUp = (): void => {};
  let leave = (): void => {};
  let isOver = false;
  const end = (): void => {
    isOver = true;
    deadline.cancel();
    leave();
  };
  const deadline = startDeadline({
    timeoutMs,
    monotonicMs: ports.monotonicMs,
    abandon: signal,
    onEnd: (cause) => {
      settle(denyLate(cause, timeoutMs));
      giveUp();
      end();
    },
  });
  const settleInTime = (verdict: () => Verdict): void => {
    settle(
      orDefect(() => {
        const late = deadline.cause();
        return late === null ? verdict() : denyLate(late, timeoutMs);
      }),
    );
    end();
  };
  const request = { method: "POST", path: EXECUTE_PATH, body, idempotencyKey } as const;
  const send = (): void => {
    giveUp = exchange.send(request, {
      onAnswer: (answer) => settleInTime(() => verdictOf(answer, settings)),
      onError: (error) => settleInTime(() => denyUnreachable(error)),
    });
  };
  const entered = share.enter(agentId, send);
  if (entered.kind === "full") return settleInTime(denyOverloaded);
  leave = entered.leave;
  // The question ended during its start, so nothing else would give its place back.
  if (isOver) leave();
}

function verdictOf(answer: GatewayAnswer, settings: DecisionClientSettings): Verdict {
  const isRefusal = answer.status < 200 || answer.status > 299;
  return isRefusal && settings.tellsRefusals === true ? tellRefusal(answer, settings) : readVerdict(answer);
}

/** A defect in reading an answer must also end the wait, because nothing else would. */
function orDefect(verdict: () => Verdict): Verdict {
  try {
    return verdict();
  } catch {
    return denyDefect();
  }
}

function once(settle: (verdict: Verdict) => void): (verdict: Verdict) => void {
  let isSettled = false;
  return (verdict) => {
    if (isSettled) return;
    isSettled = true;
    settle(verdict);
  };
}

function tryRenderBody(call: ExecuteRequest): string | null {
  try {
    return renderExecuteBody(call);
  } catch {
    return null;
  }
}

function denyLate(cause: DeadlineCause, timeoutMs: number): DenyVerdict {
  return cause === "expired"
    ? failClosedDeny("decision_timeout", `The gateway gave no verdict within ${timeoutMs} ms.`)
    : failClosedDeny("decision_timeout", "The caller stopped waiting before the gateway gave a verdict.");
}

function denyOverloaded(): DenyVerdict {
  const reason =
    `Expected at most ${String(MAX_WAITING_PER_AGENT)} questions of one agent to wait for the gateway. ` +
    "Repeat the call when others are answered.";
  return failClosedDeny("adapter_overloaded", reason);
}

function denyUnreachable(error: unknown): DenyVerdict {
  return failClosedDeny("gateway_unreachable", `No answer came from the gateway (${transportCode(error)}).`);
}

/** A defect of ours or a hostile argument. The text of the error is not answered. */
function denyDefect(): DenyVerdict {
  return failClosedDeny("internal_error", "The decision client failed before a verdict was obtained.");
}

function report(deny: DenyVerdict, ports: DecisionClientPorts): void {
  try {
    ports.onFault(deny);
  } catch {
    // A report of a deny must not be able to undo it.
  }
}
