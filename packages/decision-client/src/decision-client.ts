import type { ExecuteRequest } from "@svc/contract/execute-request";
import { IDEMPOTENCY_KEY_EXPECTATION, isIdempotencyKey } from "@svc/contract/idempotency-key";
import { type DenyVerdict, failClosedDeny, type Verdict } from "@svc/contract/verdict";
import { type Deadline, type DeadlineCause, startDeadline } from "./deadline.ts";
import type { DecisionClientSettings } from "./decision-client-settings.ts";
import { renderExecuteBody } from "./execute-body.ts";
import { createGatewayExchange, type GatewayExchange } from "./gateway-exchange.ts";
import { readVerdict } from "./read-verdict.ts";
import { transportCode } from "./transport-code.ts";

export interface DecideOptions {
  /** Makes a repetition of the same call count once. */
  readonly idempotencyKey?: string | undefined;
  /** Abandons the decision when it aborts; the answer is then a flagged deny. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks for a verdict. Resolves always, and with an allow only when the gateway's readable verdict said so.
 */
export type Decide = (call: ExecuteRequest, options?: DecideOptions) => Promise<Verdict>;

/** The one client every adapter shares. It knows no policy; it turns every fault into a flagged deny. */
export interface DecisionClient {
  readonly decide: Decide;
  /** Lets go of all connections at once; what is still pending is denied. */
  close(): Promise<void>;
}

export interface DecisionClientPorts {
  /** Milliseconds that only move forward. */
  readonly monotonicMs: () => number;
  /**
   * Told of every flagged deny, ours or the gateway's own, for logs and metrics. May throw: the deny stands.
   */
  readonly onFault: (deny: DenyVerdict) => void;
}

/** @throws when the settings cannot make a client; a client that exists never throws and never rejects. */
export function createDecisionClient(
  settings: DecisionClientSettings,
  ports: DecisionClientPorts,
): DecisionClient {
  const exchange = createGatewayExchange(settings);
  const decide: Decide = async (call, options) => {
    const verdict = await decideWithin(call, options, { settings, ports, exchange }).catch(denyDefect);
    if (verdict.decision === "deny" && verdict.fail_closed) report(verdict, ports);
    return verdict;
  };
  return { decide, close: () => exchange.close() };
}

interface Means {
  readonly settings: DecisionClientSettings;
  readonly ports: DecisionClientPorts;
  readonly exchange: GatewayExchange;
}

async function decideWithin(
  call: ExecuteRequest,
  options: DecideOptions = {},
  { settings, ports, exchange }: Means,
): Promise<Verdict> {
  const { idempotencyKey, signal } = options;
  const { timeoutMs } = settings;
  const body = tryRenderBody(call);
  if (body === null) return failClosedDeny("request_malformed", "The call cannot be written as JSON.");
  if (idempotencyKey !== undefined && !isIdempotencyKey(idempotencyKey)) {
    return failClosedDeny("request_malformed", `Idempotency-Key: expected ${IDEMPOTENCY_KEY_EXPECTATION}.`);
  }
  const deadline = startDeadline({ timeoutMs, monotonicMs: ports.monotonicMs, abandon: signal });
  try {
    const ended = deadline.ended.then((cause) => denyLate(cause, timeoutMs));
    return await Promise.race([ended, ask(exchange, { body, idempotencyKey, deadline, timeoutMs })]);
  } finally {
    deadline.cancel();
  }
}

interface Question {
  readonly body: string;
  readonly idempotencyKey: string | undefined;
  readonly deadline: Deadline;
  readonly timeoutMs: number;
}

/** Never rejects: the loser of the race against the deadline must not leave an unhandled rejection. */
async function ask(exchange: GatewayExchange, question: Question): Promise<Verdict> {
  const { body, idempotencyKey, deadline, timeoutMs } = question;
  try {
    const answer = await exchange.send(body, idempotencyKey, deadline.signal);
    const late = deadline.cause();
    return late === null ? readVerdict(answer) : denyLate(late, timeoutMs);
  } catch (error) {
    const late = deadline.cause();
    return late === null ? denyUnreachable(error) : denyLate(late, timeoutMs);
  }
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
    : failClosedDeny("decision_timeout", "The caller gave up before the gateway gave a verdict.");
}

function denyUnreachable(error: unknown): DenyVerdict {
  return failClosedDeny("gateway_unreachable", `No answer came from the gateway (${transportCode(error)}).`);
}

/** A defect of ours or a hostile argument: the text of the error stays inside. */
function denyDefect(): DenyVerdict {
  return failClosedDeny("internal_error", "The decision client failed before a verdict was obtained.");
}

function report(deny: DenyVerdict, ports: DecisionClientPorts): void {
  try {
    ports.onFault(deny);
  } catch {
    // Telling of a deny must not be able to undo it.
  }
}
