import type { OutcomeStatus } from "@svc/contract/outcome";
import type { Principal } from "@svc/contract/principal";
import { failClosedDeny, type Verdict } from "@svc/contract/verdict";
import { beforeDeadline, type Deadline } from "./before-deadline.ts";
import { type ExecuteParts, execute, judgeRepeat, type RepeatedCall } from "./execute.ts";
import { type CallRequest, DECISION_DEADLINE_MS } from "./governed-call.ts";
import type { NamedCall, Remembered } from "./remembered-call.ts";
import type { ReplayCache } from "./replay-cache.ts";

/** The caller's own name for one call, and the digest of the body that came with it. */
export interface IdempotentCall {
  readonly idempotencyKey: string;
  readonly bodyDigest: string;
}

export type ReplayParts = ExecuteParts & { readonly replays: ReplayCache };

/**
 * `execute`, counted once however often it is repeated with the same key. A repeat gets the remembered
 * verdict, marked `repeated`. It is decided afresh, and charged, when the charge of the first decision no
 * longer covers a run, when another policy version governs the call by now, and when the kill switch that
 * denied it has ended. Never rejects.
 * @returns null when the key came with another body before.
 */
export async function executeOnce(
  parts: ReplayParts,
  principal: Principal,
  request: CallRequest,
  { idempotencyKey, bodyDigest }: IdempotentCall,
): Promise<Verdict | null> {
  const key = JSON.stringify([principal.org, principal.id, idempotencyKey]);
  const call: NamedCall = { org: principal.org, agentId: request.agent_id, key, bodyDigest };
  const deadlineMs = parts.clock.nowMs() + DECISION_DEADLINE_MS;
  for (;;) {
    const known = parts.replays.find(call);
    if (known === null) return parts.replays.remember(call, execute(parts, principal, request));
    if (known.call.bodyDigest !== bodyDigest) return null;
    if (!(await isRecorded(known, { clock: parts.clock, deadlineMs }))) return NOT_RECORDED_IN_TIME;
    const verdict = await verdictOf(known);
    // An outcome that came while the verdict was awaited counts. From here to the answer nothing is awaited.
    if (known.spent || known.reports.size > 0) continue;
    const answered = answerRepeat(parts, { principal, request, verdict });
    if (answered !== null) return answered;
    // Of several repeats one decides afresh, and the others find its decision.
    if (parts.replays.find(call) === known) {
      return parts.replays.remember(call, execute(parts, principal, request));
    }
  }
}

/** A repeat's answer; null when the call has to be decided afresh. Never throws. */
function answerRepeat(parts: ExecuteParts, repeated: RepeatedCall): Promise<Verdict> | Verdict | null {
  try {
    const judged = judgeRepeat(parts, repeated);
    switch (judged.kind) {
      case "stands":
        return { ...repeated.verdict, repeated: true };
      case "stopped":
        return judged.verdict.catch((error: unknown) => failedCheck(parts, error));
      case "outdated":
        return null;
    }
  } catch (error) {
    return failedCheck(parts, error);
  }
}

function failedCheck({ log }: ExecuteParts, error: unknown): Verdict {
  log.error({ err: error }, "a repeated call was denied because checking it failed");
  return failClosedDeny("internal_error", "the gateway failed while deciding this call");
}

const NOT_RECORDED_IN_TIME = failClosedDeny(
  "audit_unavailable",
  "the outcome of this call's first decision could not be recorded in time",
);

/** Whether no outcome of the remembered decision is being recorded any more; false once it is too late. */
async function isRecorded({ reports }: Remembered, deadline: Deadline): Promise<boolean> {
  while (reports.size > 0) {
    if ((await beforeDeadline(deadline, () => Promise.all(reports))) === null) return false;
  }
  return true;
}

async function verdictOf({ answer }: Remembered): Promise<Verdict> {
  if (!Buffer.isBuffer(answer)) return answer;
  // This process wrote these bytes itself, from a verdict.
  return JSON.parse(answer.toString("utf8")) as Verdict;
}

/** Whether the charge of a decision no longer covers a run once such an outcome of it is recorded. */
export function endsCharge(status: OutcomeStatus): boolean {
  switch (status) {
    case "not_executed":
    case "revoked":
      return true;
    case "succeeded":
    case "failed":
      return false;
  }
}
