import type { Verdict } from "@svc/contract/verdict";
import type { AppendOutcome } from "@svc/log-writer/ledger-queue";
import { answer as answerOf } from "./answer/answer.ts";
import { recheckControl } from "./answer/recheck-control.ts";
import { settle } from "./answer/settle.ts";
import { claimsOf, rowRest } from "./append/append-row.ts";
import type { ReadyPolicy } from "./check/governing-policy.ts";
import { decideAsync, untilCurrent } from "./decide-async.ts";
import type { LocalArguments } from "./evaluate/call-content.ts";
import type { Ruling } from "./evaluate/ruling.ts";
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
 * Decides a call: check, evaluate, rule, append, recheck, answer. The ruling of a policy that takes effect as
 * it is needs nothing but this thread until its row is handed over, so nothing is awaited for it. Every other
 * call continues from the same judgement in `decideAsync`. @throws when the call could not be judged
 */
export function decide(parts: ExecuteParts, call: PendingCall, awaiting: Awaiting): void {
  const judged = judge(parts.control, call);
  const { local } = call.content;
  if (local !== null && judged.kind === "governed" && judged.ruled !== null && isSettled(judged.ruled)) {
    decideSync(parts, call, { local, governing: judged.governing, ruled: judged.ruled }, awaiting);
  } else {
    decideAsync(parts, call, judged).then(awaiting.answer, awaiting.onFault);
  }
}

/** Whether neither an approval nor what a governance mode softened is left to look at. */
function isSettled({ approval, wouldBe }: Ruling): boolean {
  return approval === null && wouldBe === null;
}

interface Settled {
  readonly local: LocalArguments;
  readonly governing: ReadyPolicy;
  readonly ruled: Ruling;
}

function decideSync(
  parts: ExecuteParts,
  call: PendingCall,
  { local, governing, ruled }: Settled,
  { answer, onFault }: Awaiting,
): void {
  const { control, publicUrl, queue, onLateRow } = parts;
  const rest = rowRest(parts, call, ruled);
  const row = local.rowText(call, governing, rest);
  const claims = claimsOf(call, ruled, rest.moment.time.getTime());
  const onOutcome = (outcome: AppendOutcome): void => {
    let verdict: Verdict;
    try {
      if (outcome.kind !== "committed" || recheckControl(control, call, ruled).kind !== "stands") {
        settle(parts, call, ruled, { row, claims, outcome })
          .then((concluded) => untilCurrent(parts, call, concluded))
          .then(answer, onFault);
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
