import { MAX_VERDICT_BYTES } from "@svc/contract/limits";
import { failClosedDeny } from "@svc/contract/verdict";
import { GATEWAY, judgeAnswer, type ReadJson } from "@svc/decision-client/judge-answer";
import { denyRefused } from "@svc/decision-client/refused-answer";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { parseStrictJsonText } from "@svc/text/strict-json-text";
import { utf8Length } from "@svc/text/utf8";
import type { ClientDeny, ClientVerdict } from "./client-deny.ts";
import type { ClientSettings } from "./client-settings.ts";
import { postToGateway } from "./gateway.ts";
import { readBody } from "./read-body.ts";
import { readProblem } from "./read-problem.ts";
import { transportFault } from "./transport-fault.ts";
import { transportHint } from "./transport-hint.ts";

const EXECUTE_PATH = "/api/v1/gateway/execute";

export interface Question {
  /** The JSON text of the call. */
  readonly body: string;
  readonly idempotencyKey?: string | undefined;
  /** Abandons the question; the verdict is then a deny. */
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds that only move forward. */
export type Monotonic = () => number;

/**
 * Asks the gateway once. Resolves always: a deny with `fail_closed` stands for whatever keeps a readable
 * verdict from arriving in time.
 */
export async function askGateway(
  settings: ClientSettings,
  question: Question,
  monotonicMs: Monotonic,
): Promise<ClientVerdict> {
  const { timeoutMs } = settings;
  const { body, idempotencyKey, signal } = question;
  // No character takes more than three bytes for each of its units.
  if (body.length * 3 > MAX_BODY_BYTES && utf8Length(body) > MAX_BODY_BYTES)
    return failClosedDeny(
      "request_malformed",
      `args: expected a body of at most ${String(MAX_BODY_BYTES)} bytes.`,
    );
  const startedMs = monotonicMs();
  const giveUp = new AbortController();
  const abandon = (): void => giveUp.abort();
  const timer = setTimeout(abandon, timeoutMs);
  if (signal?.aborted === true) abandon();
  signal?.addEventListener("abort", abandon, { once: true });
  let isWhole = false;
  const isLate = (): boolean => giveUp.signal.aborted || monotonicMs() - startedMs >= timeoutMs;
  try {
    const answer = await postToGateway(settings, {
      path: EXECUTE_PATH,
      body,
      idempotencyKey,
      signal: giveUp.signal,
    });
    const verdict = await verdictOf(settings, answer);
    isWhole = verdict.decision === "allow";
    // A process that was stopped meanwhile takes the answer before its own timer.
    return isLate() ? denyLate(settings, signal) : verdict;
  } catch (error) {
    return isLate() ? denyLate(settings, signal) : denyUnreachable(settings, error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abandon);
    // An answer that was refused before its end would keep its connection. An allow was read to its end.
    if (!isWhole) abandon();
  }
}

async function verdictOf(settings: ClientSettings, answer: Response): Promise<ClientVerdict> {
  const { status, headers } = answer;
  if (status < 200 || status > 299) {
    const requestId = headers.get("x-request-id");
    const { baseUrl, apiKey } = settings;
    return denyRefused(
      { path: new URL(baseUrl).pathname.replace(/\/+$/, ""), apiKey },
      { status, requestId, detail: await readProblem(answer) },
    );
  }
  // An encoded body is refused by its header: reading it would decode it first.
  const isPlain = (headers.get("content-encoding") ?? "identity") === "identity";
  const body = status === 200 && isPlain ? await readBody(answer, MAX_VERDICT_BYTES) : null;
  const known = {
    "content-type": headers.get("content-type") ?? undefined,
    "content-encoding": headers.get("content-encoding") ?? undefined,
  };
  return judgeAnswer({ status, headers: known, body }, GATEWAY, readJson);
}

const readJson: ReadJson = (bytes) => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return parseStrictJsonText(text, MAX_VERDICT_BYTES);
  } catch {
    return { ok: false };
  }
};

function denyUnreachable({ baseUrl }: ClientSettings, error: unknown): ClientDeny {
  const code = transportFault(error);
  const deny = failClosedDeny("gateway_unreachable", `No answer came from the gateway (${code}).`);
  return { ...deny, ...transportHint(baseUrl, code) };
}

function denyLate({ baseUrl, timeoutMs }: ClientSettings, signal: AbortSignal | undefined): ClientDeny {
  if (signal?.aborted === true)
    return failClosedDeny(
      "decision_timeout",
      "The caller stopped waiting before the gateway gave a verdict.",
    );
  return {
    ...failClosedDeny("decision_timeout", `The gateway gave no verdict within ${String(timeoutMs)} ms.`),
    hint: `${baseUrl} was asked. SVC_DECISION_TIMEOUT_MS sets how long the client waits.`,
  };
}
