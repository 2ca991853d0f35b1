import { renderExecuteBody } from "@svc/contract/execute-body";
import { IDEMPOTENCY_KEY_EXPECTATION, isIdempotencyKey } from "@svc/contract/idempotency-key";
import { isName } from "@svc/contract/name";
import { canonicalJson } from "@svc/text/canonical-json";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { parseUsd, USD_EXPECTATION } from "@svc/text/usd";
import { jsonSnapshot } from "./json-snapshot.ts";
import { MalformedCall } from "./malformed-call.ts";
import { refusedName } from "./require-name.ts";
import type { OptionNames } from "./require-options.ts";

/** Who calls, and what else is known of a call than its tool and arguments. */
export interface CallOptions {
  readonly agentId: string;
  readonly sessionId?: string | undefined;
  readonly namespace?: string | undefined;
  /** What the call will cost, in USD with at most six decimals, such as "0.25". */
  readonly costUsd?: number | string | undefined;
  /**
   * The framework's own id of the call. A framework that asks twice about one call then gets one decision,
   * which counts once.
   */
  readonly callId?: string | undefined;
  /** In place of the key that callId makes. */
  readonly idempotencyKey?: string | undefined;
  /** Abandons the question when it aborts. The call is then denied. */
  readonly signal?: AbortSignal | undefined;
}

export const CALL_OPTIONS: OptionNames<CallOptions> = {
  agentId: true,
  sessionId: true,
  namespace: true,
  costUsd: true,
  callId: true,
  idempotencyKey: true,
  signal: true,
};

/** A call as it will be judged. Nothing in it changes any more. */
export interface Call {
  readonly agentId: string;
  readonly sessionId: string | null;
  readonly tool: string;
  readonly args: JsonObject;
  readonly costMicroUsd: number | null;
  readonly body: string;
  readonly idempotencyKey: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** @throws MalformedCall that names the field, what was expected and what came. */
export async function makeCall(tool: unknown, args: unknown, options: CallOptions): Promise<Call> {
  const { agentId, sessionId, namespace, costUsd, callId, idempotencyKey, signal } = options;
  const plain = plainArgs(args);
  const named = {
    agentId: checkedName("agentId", agentId),
    sessionId: sessionId === undefined ? null : checkedName("sessionId", sessionId),
    tool: checkedName("tool", tool),
    args: plain,
    costMicroUsd: costUsd === undefined ? null : cost(costUsd),
  };
  const body = renderExecuteBody({
    agent_id: named.agentId,
    session_id: named.sessionId,
    tool: named.tool,
    args: plain,
    namespace: namespace === undefined ? null : checkedName("namespace", namespace),
    cost_micro_usd: named.costMicroUsd,
  });
  const key = idempotencyKey === undefined ? undefined : givenKey(idempotencyKey);
  const made = callId === undefined ? undefined : await idempotencyKeyOf(named.sessionId, callId, plain);
  return { ...named, body, idempotencyKey: key ?? made, signal };
}

/**
 * Names one call of one session with these arguments. Call ids come from models and repeat across runs, so
 * they never stand alone.
 */
export async function idempotencyKeyOf(
  sessionId: string | null,
  callId: string,
  args: JsonObject,
): Promise<string> {
  if (typeof callId !== "string" || callId === "" || !callId.isWellFormed())
    throw new MalformedCall("callId: expected a text that is not empty, in well-formed Unicode");
  return digest(["svc-call-1", sessionId, callId, await digest(args)]);
}

async function digest(value: JsonValue): Promise<string> {
  const text = new TextEncoder().encode(canonicalJson(value));
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return `sha256:${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function plainArgs(args: unknown): JsonObject {
  const plain = jsonSnapshot(args, "args");
  if (isJsonObject(plain)) return plain;
  throw new MalformedCall(
    `args: expected an object of names and values, found ${Array.isArray(args) ? "an array" : typeof args}`,
  );
}

function checkedName(field: string, value: unknown): string {
  if (typeof value === "string" && isName(value)) return value;
  throw new MalformedCall(`${field}: ${refusedName(value)}`);
}

function givenKey(value: unknown): string {
  if (typeof value === "string" && isIdempotencyKey(value)) return value;
  throw new MalformedCall(`idempotencyKey: expected ${IDEMPOTENCY_KEY_EXPECTATION}`);
}

function cost(value: unknown): number {
  const parsed = parseUsd(value);
  if (parsed !== null) return parsed;
  throw new MalformedCall(`costUsd: expected ${USD_EXPECTATION}`);
}
