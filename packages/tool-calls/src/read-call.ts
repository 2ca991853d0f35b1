import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { JsonObject, JsonValue } from "@svc/contract/json-value";
import { MAX_BODY_BYTES } from "@svc/contract/limits";
import { parseExecuteRequest } from "@svc/contract/parse-execute-request";
import type { CallIdentity } from "./identity.ts";
import { malformed, ok, type Result } from "./result.ts";

/** Room in bytes that a question needs beside the arguments: four identifiers of 128, a cost, their names. */
const ENVELOPE_BYTES = 640;

/** Largest arguments in bytes of JSON that fit into one question to the gateway. */
export const MAX_ARGS_BYTES = MAX_BODY_BYTES - ENVELOPE_BYTES;

/** A call as an adapter reads it off its wire; null where the wire says nothing. */
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
 * The question that an execute request asks. The contract's own parser has the last word on every field, and
 * arguments that no body to the gateway holds are refused here, where the reason can name their bound.
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
