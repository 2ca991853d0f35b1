import type { Verdict } from "@svc/contract/verdict";
import type { AppendOutcome } from "@svc/log-writer/ledger-queue";
import { answer as answerOf } from "./answer/answer.ts";
import { recheckControl } from "./answer/recheck-control.ts";
import { claimsOf, elapsedUs } from "./append/append-row.ts";
import { isPlainAllow, type PlainAllow, plainAllowRow } from "./append/plain-allow.ts";
import type { ReadyPolicy } from "./check/governing-policy.ts";
import { continueFrom, decideAsync } from "./decide-async.ts";
import type { LocalArguments } from "./evaluate/call-content.ts";
import type { ExecuteParts } from "./execute-parts.ts";
import { judge } from "./judge.ts";
import type { PendingCall } from "./pending-call.ts";

/** Who waits for the verdict of a call. Exactly one of the two is called, once, and neither throws. */
export interface Awaiting {
  /** @param verdict null when another request has the key of the call */
  readonly answer: (verdict: Verdict | null) => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Decides a call: check, evaluate, rule, append, recheck, answer. An allow of the arguments as they came
 * needs nothing but this thread until its row is handed to the queue, so nothing is awaited for it. Every
 * other call continues from the same judgement in `decideAsync`. @throws when the call could not be judged
 */
export function decide(parts: ExecuteParts, call: PendingCall, awaiting: Awaiting): void {
  const judged = judge(parts.control, call);
  const { local } = call.content;
  if (local !== null && judged.kind === "governed" && judged.ruled !== null && isPlainAllow(judged.ruled)) {
    decideSync(parts, call, { local, governing: judged.governing, ruled: judged.ruled }, awaiting);
  } else {
    decideAsync(parts, call, judged).then(awaiting.answer, awaiting.onFault);
  }
}

interface JudgedAllow {
  readonly local: LocalArguments;
  readonly governing: ReadyPolicy;
  readonly ruled: PlainAllow;
}

function decideSync(
  parts: ExecuteParts,
  call: PendingCall,
  { local, governing, ruled }: JudgedAllow,
  { answer, onFault }: Awaiting,
): void {
  const { clock, control, digest, publicUrl, queue, onLateRow } = parts;
  const time = clock.now();
  const moment = { time, latencyUs: elapsedUs(clock, call) };
  const row = plainAllowRow(call, local, { ruled, governing, moment, digest });
  const claims = claimsOf(call, ruled, time.getTime());
  const onOutcome = (outcome: AppendOutcome): void => {
    let verdict: Verdict;
    try {
      if (outcome.kind !== "committed" || recheckControl(control, call, ruled) !== null) {
        continueFrom(parts, call, ruled, { row, claims, outcome }).then(answer, onFault);
        return;
      }
      verdict = answerOf(ruled, outcome.position, publicUrl);
    } catch (error) {
      return onFault(error);
    }
    answer(verdict);
  };
  queue.enqueue({ row: row.text, claims }, { deadlineMs: call.deadlineMs, onLate: onLateRow, onOutcome });
}
