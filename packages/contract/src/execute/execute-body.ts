import { plainJsonText } from "@svc/text/plain-json-text";
import { formatUsd } from "@svc/text/usd";
import type { ExecuteRequest } from "./execute-request.ts";

/**
 * Writes the body of `POST /api/v1/gateway/execute`. What the caller did not name is left out, never sent as
 * null.
 * @throws when the call is not exactly what its JSON says (a `toJSON`, a function, NaN, a cycle, or a
 * getter that throws).
 */
export function renderExecuteBody(call: ExecuteRequest): string {
  const { agent_id, session_id, tool, namespace, cost_micro_usd } = call;
  const args = plainJsonText(call.args) ?? JSON.stringify(call.args, refuseRewriting);
  const session = session_id === null ? "" : `,"session_id":${textOf(session_id)}`;
  const scope = namespace === null ? "" : `,"namespace":${textOf(namespace)}`;
  const cost = cost_micro_usd === null ? "" : `,"cost_usd":${textOf(formatUsd(cost_micro_usd))}`;
  return `{"agent_id":${textOf(agent_id)}${session},"tool":${textOf(tool)},"args":${args}${scope}${cost}}`;
}

function textOf(value: unknown): string {
  return plainJsonText(value) ?? JSON.stringify(value, refuseRewriting);
}

/**
 * JSON.stringify drops or rewrites what JSON cannot say; the gateway would judge another call than
 * the one made.
 */
function refuseRewriting(this: unknown, key: string, written: unknown): unknown {
  const original: unknown = Reflect.get(Object(this), key);
  const isJson =
    written === null ||
    typeof written === "string" ||
    typeof written === "boolean" ||
    typeof written === "object" ||
    Number.isFinite(written);
  if (!isJson || written !== original) throw new TypeError(`${key} cannot be written as JSON`);
  return written;
}
