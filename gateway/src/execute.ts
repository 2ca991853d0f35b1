import type { Verdict } from "@svc/contract/verdict";
import { deny } from "./answer/answer.ts";
import { conclude } from "./answer/settle.ts";
import { claimedKey, type IdempotentCall } from "./append/claimed-key.ts";
import { type Awaiting, decide } from "./decide.ts";
import { faultRuling } from "./evaluate/ruling.ts";
import type { ExecuteParts } from "./execute-parts.ts";
import { type PendingCall, pendingCall, type ReceivedCall } from "./pending-call.ts";

/**
 * Decides one intended tool call and commits the decision before answering.
 * Never rejects: every fault on the way is a deny with `fail_closed`.
 */
export function execute(parts: ExecuteParts, received: ReceivedCall): Promise<Verdict> {
  return new Promise((resolve) => {
    // Only a call with a key can meet another request's key.
    run(parts, received, null, (verdict) => resolve(verdict ?? deny(FAILED)));
  });
}

/**
 * The same for a call that its caller named, counted once however often it is repeated with the same key, at
 * this process or at another one: its row takes the key. When another row has the key, the answer is that
 * row's decision, marked `repeated`. The repeat is decided and charged anew in three cases: the charge of the
 * first decision no longer covers a run, another policy version now governs the call, or the kill switch that
 * denied the call has ended.
 * @returns null when the key was used with another body before
 */
export function executeOnce(
  parts: ExecuteParts,
  received: ReceivedCall,
  named: IdempotentCall,
): Promise<Verdict | null> {
  return new Promise((resolve) => {
    run(parts, received, named, resolve);
  });
}

/** Never throws. @param answer called once, never before this returns; it must not throw */
function run(
  parts: ExecuteParts,
  received: ReceivedCall,
  named: IdempotentCall | null,
  answer: Awaiting["answer"],
): void {
  let call: PendingCall | null = null;
  const onFault = (error: unknown): void => void denyFault(parts, received, call, error).then(answer);
  try {
    call = pendingCall(received, parts.clock, parts.control.state);
    parts.activity.note(call, call.receivedAtMs);
    if (named !== null) call = { ...call, key: claimedKey(parts.digest, received.principal, named) };
    decide(parts, call, { answer, onFault });
  } catch (error) {
    onFault(error);
  }
}

/** Never rejects. */
async function denyFault(
  parts: ExecuteParts,
  { requestId }: ReceivedCall,
  call: PendingCall | null,
  error: unknown,
): Promise<Verdict> {
  parts.log.error({ err: error, request_id: requestId.text }, "a call was denied because deciding it failed");
  if (call === null) return deny(FAILED);
  // The policy itself may have failed, so it is not evaluated again, and what it redacts is unknown.
  return conclude(parts, call, FAILED, "unknown")
    .then((concluded) => (concluded.kind === "answered" ? concluded.verdict : null) ?? deny(FAILED))
    .catch(() => deny(FAILED));
}

const FAILED = faultRuling("internal_error", "the gateway failed while deciding this call");
