import type { RouteDefinition } from "@svc/api/route";
import type { ControlOperationId } from "@svc/api/route-table";
import { IDEMPOTENCY_KEY_EXPECTATION, isIdempotencyKey } from "@svc/contract/idempotency-key";
import { problem } from "@svc/contract/problem";
import { singleHeader } from "@svc/http-edge/single-header";
import type { AnyReply, RequestContext } from "../routes/handler.ts";
import { repeatedActivation } from "../routes/repeated-activation.ts";
import type { AnswerOnce } from "./answer-once.ts";
import { keyDigest, requestDigest } from "./request-digest.ts";

/** Activating a switch again changes nothing. An activation must get through, whatever became of its key. */
const MAY_REPEAT: ReadonlySet<ControlOperationId> = new Set(["activateKillSwitch"]);

export interface KeyedOperation {
  readonly definition: RouteDefinition;
  readonly id: ControlOperationId;
  readonly context: RequestContext;
  /** The bytes of the body. */
  readonly body: Uint8Array;
}

/** Runs an operation, once if the route takes Idempotency-Key and the request has one. */
export async function runKeyed(
  answerOnce: AnswerOnce,
  { definition, id, context, body }: KeyedOperation,
  operation: () => Promise<AnyReply>,
): Promise<AnyReply> {
  if (definition.idempotency !== "answer") return operation();
  const { principal, request, response } = context;
  const header = singleHeader(request, "idempotency-key");
  if (header.kind === "absent") return operation();
  if (header.kind === "repeated")
    return refused("The header Idempotency-Key was sent more than once. Send it once.");
  if (!isIdempotencyKey(header.value))
    return refused(`Idempotency-Key: expected ${IDEMPOTENCY_KEY_EXPECTATION}`);
  const keyed = {
    principal,
    operation: id,
    keyDigest: keyDigest(header.value),
    requestDigest: requestDigest(request, body),
    mayRepeat: MAY_REPEAT.has(id),
  };
  const { reply, isRepeated } = await answerOnce.run(keyed, operation);
  if (!isRepeated) return reply;
  response.setHeader("idempotency-replayed", "true");
  return id === "activateKillSwitch" ? repeatedActivation(reply, context) : reply;
}

function refused(detail: string): AnyReply {
  return { kind: "problem", problem: problem("invalid_header", detail) };
}
