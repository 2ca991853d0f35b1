import type { IncomingMessage } from "node:http";
import type { Decide } from "@svc/contract/decide";
import type { Verdict } from "@svc/contract/verdict";
import type { Result } from "@svc/tool-calls/result";
import { type ForwardedBody, readForwardedBody } from "./forwarded-body.ts";
import type { KeyedCall } from "./keyed-call.ts";

export interface JudgeRequestOptions {
  /** Reads the call out of the request and its body. */
  readonly parse: (body: ForwardedBody | null) => Result<KeyedCall>;
  readonly decide: Decide;
  readonly signal: AbortSignal;
}

/** Reads one request and asks for its verdict. A request that cannot be read is denied without asking. */
export async function judgeRequest(
  request: IncomingMessage,
  { parse, decide, signal }: JudgeRequestOptions,
): Promise<Verdict> {
  const body = await readForwardedBody(request, signal);
  if (!body.ok) return body.deny;
  const question = parse(body.value);
  if (!question.ok) return question.deny;
  const { call, idempotencyKey } = question.value;
  return decide(call, { idempotencyKey, signal });
}
