import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { JsonValue } from "@svc/text/json-value";
import { readExecuteRequest } from "@svc/tool-calls/read-call";
import { ok, type Result } from "@svc/tool-calls/result";

/** One call to ask the gateway about, and the key that makes a repeat of it count once. */
export interface KeyedCall {
  readonly call: ExecuteRequest;
  readonly idempotencyKey: string | undefined;
}

/** Reads a call with the reader that all adapters share, so all routes have the same grammar and limits. */
export function readKeyedCall(wireForm: JsonValue, idempotencyKey: string | null): Result<KeyedCall> {
  const call = readExecuteRequest(wireForm);
  return call.ok ? ok({ call: call.value, idempotencyKey: idempotencyKey ?? undefined }) : call;
}
