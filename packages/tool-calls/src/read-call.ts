import type { ExecuteRequest } from "@svc/contract/execute-request";
import { parseExecuteRequest } from "@svc/contract/parse-execute-request";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import type { CallIdentity } from "./identity.ts";
import { malformed, ok, type Result } from "./result.ts";

/** Bytes that a question needs besides the arguments: four identifiers of 128, a cost, and their names. */
const ENVELOPE_BYTES = 640;

/** Largest arguments in bytes of JSON that fit into one question to the gateway. */
export const MAX_ARGS_BYTES = MAX_BODY_BYTES - ENVELOPE_BYTES;

/** A call as an adapter reads it from its protocol; null for a missing value. */
export interface WireCall extends CallIdentity {
  readonly tool: string;
  readonly args: JsonObject;
}

/** The question about a call. */
export function readCall({ agentId, namespace, sessionId, tool, args }: WireCall): Result<ExecuteRequest> {
  return readExecuteRequest({
    agent_id: agentId,
    tool,
    args,
    ...(sessionId === null ? {} : { session_id: sessionId }),
    ...(namespace === null ? {} : { namespace }),
  });
}

/**
 * The question that an execute request asks. The contract's own parser decides on every field. Arguments that
 * are too large for a request to the gateway are refused here, where the reason can name the limit.
 */
export function readExecuteRequest(wireForm: JsonValue): Result<ExecuteRequest> {
  const call = parseExecuteRequest(wireForm);
  if (!call.ok) {
    const [first] = call.errors;
    return malformed(first?.pointer ?? "call", first?.expected ?? "a tool call", first?.found);
  }
  const size = Buffer.byteLength(JSON.stringify(call.value.args));
  if (size > MAX_ARGS_BYTES)
    return malformed("/args", `at most ${String(MAX_ARGS_BYTES)} bytes`, String(size));
  return ok(call.value);
}
