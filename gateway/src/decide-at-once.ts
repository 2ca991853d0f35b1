import type { Verdict } from "@svc/contract/verdict";
import type { AppendOutcome } from "@svc/log-writer/ledger-queue";
import { answer as answerOf } from "./answer.ts";
import { claimsOf, elapsedUs } from "./append-row.ts";
import type { HeldArguments } from "./call-content.ts";
import { refuseByControl } from "./control-checks.ts";
import { decideInSteps, decideRuled, settleKeyless } from "./decide-in-steps.ts";
import type { ExecuteParts } from "./execute-parts.ts";
import { governedCall } from "./governed-call.ts";
import { governingPolicy, type ReadyPolicy } from "./governing-policy.ts";
import { lastLook } from "./last-look.ts";
import type { PendingCall } from "./pending-call.ts";
import { isPlainAllow, type PlainAllow, plainAllowRow } from "./plain-allow.ts";
import { rulingOf } from "./policy-ruling.ts";
import type { Ruling } from "./ruling.ts";

/** Who waits for the verdict of a call. Exactly one of the two is called, once, and neither throws. */
export interface Awaiting {
  readonly answer: (verdict: Verdict) => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Decides a call without a key. An allow of the arguments as they came needs nothing but this thread until
 * its row is handed to the queue, so nothing is awaited for it. Its checks, its row and its last look are
 * those of every call. All other calls are decided in steps. @throws when the call could not be judged
 */
export function decideAtOnce(parts: ExecuteParts, call: PendingCall, awaiting: Awaiting): void {
  const { answer, onFault } = awaiting;
  const judged = judgeAtOnce(parts, call);
  if (judged === null) {
    decideInSteps(parts, call).then((verdict) => {
      if (verdict === null) onFault(new Error("a call without a key met another request's key"));
      else answer(verdict);
    }, onFault);
    return;
  }
  const { ruled, governing, held } = judged;
  if (isPlainAllow(ruled)) appendAllow(parts, call, { ruled, governing, held }, awaiting);
  else decideRuled(parts, call, governing, ruled).then(answer, onFault);
}

interface Judged<Ruled extends Ruling = Ruling> {
  readonly ruled: Ruled;
  readonly governing: ReadyPolicy;
  readonly held: HeldArguments;
}

/** The ruling on a call that this thread can rule on now; null for every other call. */
function judgeAtOnce({ control }: ExecuteParts, call: PendingCall): Judged | null {
  const { held } = call.content;
  if (held === null || refuseByControl(control, call) !== null) return null;
  const governing = governingPolicy(control, call);
  if (governing.kind === "ruled") return null;
  const { policy } = governing;
  // What such a policy says depends on the usage of the session, or on evaluators that take their time.
  if (policy.readsUsage || policy.evaluators.length > 0) return null;
  const evaluation = policy.evaluate(governedCall(call, { args: held.args, usage: null }));
  return { ruled: rulingOf(evaluation, governing, call), governing, held };
}

function appendAllow(
  parts: ExecuteParts,
  call: PendingCall,
  { ruled, governing, held }: Judged<PlainAllow>,
  { answer, onFault }: Awaiting,
): void {
  const { clock, digest, queue, onLateRow } = parts;
  const time = clock.now();
  const moment = { time, latencyUs: elapsedUs(clock, call) };
  const row = plainAllowRow(call, held, { ruled, governing, moment, digest });
  const claims = claimsOf(call, ruled, time.getTime());
  const onOutcome = (outcome: AppendOutcome): void => {
    let verdict: Verdict | null;
    try {
      verdict = answerAtOnce(parts, call, ruled, outcome);
    } catch (error) {
      return onFault(error);
    }
    if (verdict !== null) return answer(verdict);
    settleKeyless(parts, call, ruled, { row, claims, outcome }).then(answer, onFault);
  };
  queue.appendThen({ row, claims }, { deadlineMs: call.deadlineMs, onLate: onLateRow, onOutcome });
}

/** The verdict of an allow whose row is durable, after the last look; null in every other case. */
function answerAtOnce(
  { control, publicUrl }: ExecuteParts,
  call: PendingCall,
  ruled: PlainAllow,
  outcome: AppendOutcome,
): Verdict | null {
  if (outcome.kind !== "committed" || lastLook(control, call, ruled) !== null) return null;
  return answerOf(ruled, outcome.position, publicUrl);
}
