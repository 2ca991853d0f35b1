import type { Verdict } from "@svc/contract/verdict";
import { deny } from "./answer.ts";
import { claimedKey, type IdempotentCall } from "./claimed-key.ts";
import { decideAtOnce } from "./decide-at-once.ts";
import { concludeFault, decideInSteps } from "./decide-in-steps.ts";
import type { ExecuteParts } from "./execute-parts.ts";
import { type PendingCall, pendingCall, type ReceivedCall } from "./pending-call.ts";
import { faultRuling } from "./ruling.ts";

/**
 * Decides one intended tool call and makes the decision durable before it is told.
 * Never rejects: every fault on the way is a deny with `fail_closed`.
 */
export function execute(parts: ExecuteParts, received: ReceivedCall): Promise<Verdict> {
  return new Promise((resolve) => {
    executeThen(parts, received, resolve);
  });
}

/**
 * As `execute`, without a promise where the call takes the straight path. Never throws.
 * @param answer called once, never before this returns; it must not throw
 */
export function executeThen(
  parts: ExecuteParts,
  received: ReceivedCall,
  answer: (verdict: Verdict) => void,
): void {
  let call: PendingCall | null = null;
  const onFault = (error: unknown): void => void denyFault(parts, received, call, error).then(answer);
  try {
    call = notedCall(parts, received);
    decideAtOnce(parts, call, { answer, onFault });
  } catch (error) {
    onFault(error);
  }
}

/**
 * The same for a call that its caller named, counted once however often it is repeated with the same key, at
 * this process or at another one: its row takes the key. When another row has the key, the answer is that
 * row's decision, marked `repeated`. The repeat is decided and charged anew in three cases: the charge of the
 * first decision no longer covers a run, another policy version now governs the call, or the kill switch that
 * denied the call has ended.
 * @returns null when the key was used with another body before
 */
export async function executeOnce(
  parts: ExecuteParts,
  received: ReceivedCall,
  named: IdempotentCall,
): Promise<Verdict | null> {
  let call: PendingCall | null = null;
  try {
    call = notedCall(parts, received);
    const key = claimedKey(parts.digest, received.principal, named);
    return await decideInSteps(parts, { ...call, key });
  } catch (error) {
    return denyFault(parts, received, call, error);
  }
}

function notedCall(parts: ExecuteParts, received: ReceivedCall): PendingCall {
  const call = pendingCall(received, parts.clock, parts.control.state);
  parts.activity.note(call, call.receivedAtMs);
  return call;
}

/** Never rejects. */
async function denyFault(
  parts: ExecuteParts,
  { requestId }: ReceivedCall,
  call: PendingCall | null,
  error: unknown,
): Promise<Verdict> {
  parts.log.error({ err: error, request_id: requestId.text }, "a call was denied because deciding it failed");
  return call === null ? deny(FAILED) : concludeFault(parts, call, FAILED).catch(() => deny(FAILED));
}

const FAILED = faultRuling("internal_error", "the gateway failed while deciding this call");
