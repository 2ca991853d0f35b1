import { digestOf } from "@svc/text/digest-of";
import type { JsonObject } from "@svc/text/json-value";

/**
 * The idempotency key of a call that its client names: the same as every client library makes. Two hooks that
 * ask about one call get one decision, which is counted once.
 */
export function callKeyOf(sessionId: string | null, callId: string, args: JsonObject): string {
  return digestOf(["svc-call-1", sessionId, callId, digestOf(args)]);
}
