import type { RouteDefinition } from "@svc/api/route";
import type { ControlOperationId } from "@svc/api/route-table";
import { IDEMPOTENCY_KEY_EXPECTATION, isIdempotencyKey } from "@svc/contract/idempotency-key";
import { problem } from "@svc/contract/problem";
import type { RequestHead } from "@svc/http-edge/request-head";
import { singleHeader } from "@svc/http-edge/single-header";
import type { AnyReply, RequestContext } from "../routes/handler.ts";
import { repeatedActivation } from "../routes/repeated-activation.ts";
import type { AnswerOnce } from "./answer-once.ts";
import { keyDigest, requestDigest } from "./request-digest.ts";

/** Activating a switch again changes nothing. An activation must get through, whatever became of its key. */
const MAY_REPEAT: ReadonlySet<ControlOperationId> = new Set(["activateKillSwitch"]);

export interface KeyedOperation {
  readonly definition: RouteDefinition;
  readonly request: RequestHead;
  readonly id: ControlOperationId;
  readonly context: RequestContext;
  /** The bytes of the body. */
  readonly body: Uint8Array;
}

/** An answer, and the headers that say how it came about. */
export interface KeyedReply {
  readonly reply: AnyReply;
  readonly headers: Readonly<Record<string, string>>;
}

const REPLAYED = { "idempotency-replayed": "true" } as const;

/** Runs an operation, once if the route takes Idempotency-Key and the request has one. */
export async function runKeyed(
  answerOnce: AnswerOnce,
  { definition, id, request, context, body }: KeyedOperation,
  operation: () => Promise<AnyReply>,
): Promise<KeyedReply> {
  if (definition.idempotency !== "answer") return plain(await operation());
  const header = singleHeader(request, "idempotency-key");
  if (header.kind === "absent") return plain(await operation());
  if (header.kind === "repeated")
    return refused("The header Idempotency-Key was sent more than once. Send it once.");
  if (!isIdempotencyKey(header.value))
    return refused(`Idempotency-Key: expected ${IDEMPOTENCY_KEY_EXPECTATION}`);
  const keyed = {
    principal: context.principal,
    operation: id,
    keyDigest: keyDigest(header.value),
    requestDigest: requestDigest(request, body),
    mayRepeat: MAY_REPEAT.has(id),
  };
  const { reply, isRepeated } = await answerOnce.run(keyed, operation);
  if (!isRepeated) return plain(reply);
  const now = id === "activateKillSwitch" ? await repeatedActivation(reply, context) : reply;
  return { reply: now, headers: REPLAYED };
}

function plain(reply: AnyReply): KeyedReply {
  return { reply, headers: {} };
}

function refused(detail: string): KeyedReply {
  return plain({ kind: "problem", problem: problem("invalid_header", detail) });
}
