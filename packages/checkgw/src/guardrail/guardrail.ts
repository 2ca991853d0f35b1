import type { IncomingMessage } from "node:http";
import { failClosedDeny, type ReasonCode } from "@svc/contract/verdict";
import { bodyMediaType } from "@svc/http-edge/media-type";
import { BODIES_OVERLOADED } from "@svc/http-edge/read-body";
import { withinBudget } from "../within-budget.ts";
import type { DialectName } from "./dialect-name.ts";
import type { GuardrailThread } from "./guardrail-thread.ts";
import { blockAnswer, type GuardrailAnswer } from "./judge-guardrail.ts";
import {
  CONTAINER_BYTES,
  KEPT_FOR_SMALL_BYTES,
  MAX_GUARDRAIL_BYTES,
  MAX_JUDGED_BYTES,
  MAX_PENDING,
  SMALL_BODY_BYTES,
} from "./limits.ts";
import { readToEnd } from "./read-to-end.ts";

export interface GuardrailOptions {
  readonly thread: Pick<GuardrailThread, "judge">;
  /** Milliseconds from a request's arrival to its answer. */
  readonly budgetMs: number;
  readonly monotonicMs: () => number;
  readonly onDefect: (error: unknown) => void;
}

/**
 * Answers one webhook request in its dialect. Never rejects, and answers within the budget whatever happens
 * to the body, the gateway or the judging thread. It does not depend on the content of the body.
 */
export type Guardrail = (
  request: IncomingMessage,
  dialect: DialectName,
  /** Why the request is blocked without being judged. Its body is still read to its end. */
  refusal?: string,
) => Promise<GuardrailAnswer>;

/** The current work. A request counts until its work has ended, even when it was answered earlier. */
interface Load {
  requests: number;
  bytes: number;
}

export function createGuardrail(options: GuardrailOptions): Guardrail {
  const load: Load = { requests: 0, bytes: 0 };
  return (request, dialect, refusal) =>
    withinBudget(options.budgetMs, (signal) => admit(request, { dialect, options, load, signal, refusal }), {
      deny: (verdict) => blockAnswer(dialect, { verdict, tool: null, enforced: true }),
      onDefect: options.onDefect,
    });
}

interface GuardrailContext {
  readonly dialect: DialectName;
  readonly options: GuardrailOptions;
  readonly load: Load;
  /** Aborts when the budget has ended. The request is answered then. */
  readonly signal: AbortSignal;
  readonly refusal: string | undefined;
}

async function admit(request: IncomingMessage, context: GuardrailContext): Promise<GuardrailAnswer> {
  const { load, signal, refusal } = context;
  if (refusal !== undefined) {
    await readToEnd(request, { maxBytes: 0, signal });
    return deny(context, "request_malformed", refusal);
  }
  if (load.requests >= MAX_PENDING) {
    await readToEnd(request, { maxBytes: 0, signal });
    return deny(context, "internal_error", `More than ${MAX_PENDING} requests are being judged.`);
  }
  load.requests += 1;
  try {
    return await serve(request, context);
  } finally {
    load.requests -= 1;
  }
}

async function serve(request: IncomingMessage, context: GuardrailContext): Promise<GuardrailAnswer> {
  const { budgetMs, monotonicMs, thread } = context.options;
  const arrivedMs = monotonicMs();
  const body = await readToEnd(request, { maxBytes: MAX_GUARDRAIL_BYTES, signal: context.signal });
  if (body.kind === "too_large")
    return deny(context, "request_malformed", `body: expected at most ${MAX_GUARDRAIL_BYTES} bytes.`);
  if (body.kind === "overloaded") return deny(context, "internal_error", `body: ${BODIES_OVERLOADED}.`);
  if (body.kind === "unfinished")
    return deny(context, "request_malformed", "body: expected to receive all of it.");
  const mediaType = bodyMediaType(request, ["application/json"]);
  if (mediaType.kind === "problem")
    return deny(context, "request_malformed", `body: ${mediaType.problem.detail}.`);
  const { dialect, load } = context;
  const bytes = judgedBytes(body.bytes);
  const isSmall = body.bytes.byteLength <= SMALL_BODY_BYTES;
  const most = isSmall ? MAX_JUDGED_BYTES : MAX_JUDGED_BYTES - KEPT_FOR_SMALL_BYTES;
  if (bytes > most) return deny(context, "request_malformed", "body: expected fewer lists and objects.");
  if (load.bytes + bytes > most)
    return deny(context, "internal_error", `More than ${most} bytes are being judged.`);
  load.bytes += bytes;
  try {
    const job = { dialect, headers: request.headersDistinct, body: body.bytes };
    return await thread.judge(job, budgetMs - (monotonicMs() - arrivedMs));
  } finally {
    load.bytes -= bytes;
  }
}

const OPENING_BRACKET = "[".charCodeAt(0);
const OPENING_BRACE = "{".charCodeAt(0);

/** Brackets in texts count as well, which no reader tells apart as fast. */
function judgedBytes(body: Uint8Array): number {
  let containers = 0;
  for (const byte of body) if (byte === OPENING_BRACKET || byte === OPENING_BRACE) containers += 1;
  return body.byteLength + containers * CONTAINER_BYTES;
}

function deny({ dialect }: GuardrailContext, code: ReasonCode, reason: string): GuardrailAnswer {
  return blockAnswer(dialect, { verdict: failClosedDeny(code, reason), tool: null, enforced: true });
}
