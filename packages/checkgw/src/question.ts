import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { JsonValue } from "@svc/contract/json-value";
import { parseExecuteRequest } from "@svc/contract/parse-execute-request";
import { malformed, type Read, read } from "@svc/decision-client/refusal";

/** One call to ask the gateway about. */
export interface Question {
  readonly call: ExecuteRequest;
  readonly idempotencyKey: string | undefined;
}

/** The contract's own parser has the last word on every field, so no route has a grammar of its own. */
export function readQuestion(wireForm: JsonValue, idempotencyKey: string | null): Read<Question> {
  const call = parseExecuteRequest(wireForm);
  if (call.ok) return read({ call: call.value, idempotencyKey: idempotencyKey ?? undefined });
  const [first] = call.errors;
  return malformed(
    first?.pointer ?? "call",
    first?.expected ?? "a tool call",
    first?.found ?? "something else",
  );
}
