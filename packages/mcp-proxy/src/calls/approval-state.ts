import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { parseStrictJson } from "@svc/text/strict-json";
import type { RpcRequest } from "@svc/tool-calls/mcp-message";
import { malformed, ok, type Result } from "@svc/tool-calls/result";
import { MAX_MESSAGE_BYTES } from "../limits.ts";

/** Params of a retried call that answer the server's own question. */
const OF_SERVER = ["requestState", "inputResponses"] as const;

/** A call, and whether it answers the proxy's own question. */
export interface Retried {
  readonly rpc: RpcRequest;
  readonly wasAsked: boolean;
}

/**
 * Packs the params that a call carries for its server, because the answer to the proxy's question takes their
 * place. The client brings them back. The state is not signed: a client may send its server anything, and the
 * call is judged again.
 * @returns null when there is nothing to bring back
 */
export function approvalState(params: JsonObject, name: string): string | null {
  const kept = OF_SERVER.filter((key) => Object.hasOwn(params, key)).map((key) => [key, params[key]]);
  if (kept.length === 0) return null;
  return `${name}:${Buffer.from(JSON.stringify(Object.fromEntries(kept))).toString("base64url")}`;
}

/**
 * The call as it was before the proxy's question: without the answer to it, and with the params
 * for its server.
 */
export function withoutApproval(rpc: RpcRequest, name: string): Result<Retried> {
  const { requestState, inputResponses, ...others } = rpc.params;
  const isAnswered = isJsonObject(inputResponses) && Object.hasOwn(inputResponses, name);
  const isOurs = typeof requestState === "string" && requestState.startsWith(`${name}:`);
  if (!isAnswered && !isOurs) return ok({ rpc, wasAsked: false });
  const kept = isOurs ? readState(requestState.slice(name.length + 1)) : {};
  if (kept === null) return malformed("params.requestState", "the state that came with the question");
  const responses = isAnswered ? without(inputResponses, name) : inputResponses;
  const isEmpty = isAnswered && isJsonObject(responses) && Object.keys(responses).length === 0;
  const params: JsonObject = {
    ...others,
    ...(responses === undefined || isEmpty ? {} : { inputResponses: responses }),
    ...(requestState === undefined || isOurs ? {} : { requestState }),
    ...kept,
  };
  return ok({ rpc: { ...rpc, params, document: { ...rpc.document, params } }, wasAsked: true });
}

function readState(text: string): JsonObject | null {
  const json = parseStrictJson(Buffer.from(text, "base64url"), MAX_MESSAGE_BYTES);
  if (!json.ok || !isJsonObject(json.value)) return null;
  const { requestState = "", inputResponses = {}, ...others } = json.value;
  const isSound = typeof requestState === "string" && isJsonObject(inputResponses);
  return isSound && Object.keys(others).length === 0 ? json.value : null;
}

function without(responses: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(responses).filter(([key]) => key !== name));
}
