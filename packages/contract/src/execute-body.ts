import type { ExecuteRequest } from "./execute-request.ts";
import { formatUsd } from "./usd.ts";

/**
 * Writes the body of `POST /api/v1/gateway/execute`. What the caller did not name is left out, never sent as
 * null.
 * @throws when the call is not exactly what its JSON says (a `toJSON`, a function, NaN, a cycle, or a
 * getter that throws).
 */
export function renderExecuteBody(call: ExecuteRequest): string {
  return JSON.stringify(
    {
      agent_id: call.agent_id,
      ...(call.session_id === null ? {} : { session_id: call.session_id }),
      tool: call.tool,
      args: call.args,
      ...(call.namespace === null ? {} : { namespace: call.namespace }),
      ...(call.cost_micro_usd === null ? {} : { cost_usd: formatUsd(call.cost_micro_usd) }),
    },
    refuseRewriting,
  );
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
