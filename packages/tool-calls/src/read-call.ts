import type { ExecuteRequest } from "@svc/contract/execute-request";
import { parseExecuteRequest } from "@svc/contract/parse-execute-request";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import type { CallIdentity } from "./identity.ts";
import { malformed, ok, type Result } from "./result.ts";

/**
 * Bytes of a list of the four names that a question has room for, whatever its arguments: 128 for each.
 * Longer names take from the room of the arguments.
 */
const USUAL_NAMES_BYTES = 4 * 128 + 13;

/** Bytes that a question needs besides the arguments: its names, a cost, and what they are called. */
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
    const found = first?.fix === undefined ? first?.found : `${first.found}: ${first.fix}`;
    return malformed(first?.pointer ?? "call", first?.expected ?? "a tool call", found);
  }
  const { agent_id, session_id, tool, args, namespace } = call.value;
  const names = Buffer.byteLength(JSON.stringify([agent_id, session_id, tool, namespace]));
  const atMost = MAX_ARGS_BYTES - Math.max(0, names - USUAL_NAMES_BYTES);
  const size = Buffer.byteLength(JSON.stringify(args));
  if (size > atMost) return malformed("/args", `at most ${String(atMost)} bytes`, String(size));
  return ok(call.value);
}
