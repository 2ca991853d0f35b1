import { formatDecisionId, parseDecisionId } from "@svc/contract/decision-id";
import { faultFields } from "@svc/contract/fault-fields";
import { failClosedDeny, type Verdict } from "@svc/contract/verdict";
import type { IdempotencyStore } from "@svc/store/ports/idempotency-store";
import type { RowPosition } from "@svc/store/ports/row-position";
import { beforeDeadline, type Deadline } from "./before-deadline.ts";
import { type ClaimedKey, claimedKey, type IdempotentCall } from "./claimed-key.ts";
import { executeWithKey } from "./execute.ts";
import type { ExecuteParts } from "./execute-parts.ts";
import { judgeRepeat, type RepeatedCall } from "./judge-repeat.ts";
import { ownText } from "./own-text.ts";
import { DECISION_DEADLINE_MS, namespaceOfCall, type ReceivedCall } from "./pending-call.ts";
import type { NamedCall, Remembered } from "./remembered-call.ts";
import type { ReplayCache } from "./replay-cache.ts";

export interface ReplayParts extends ExecuteParts {
  readonly replays: ReplayCache;
  readonly keyHolder: IdempotencyStore["keyHolder"];
}

/**
 * `execute`, counted once however often a call is repeated with the same key, at this process or at another
 * one. A repeat gets the first verdict, marked `repeated`. The repeat is decided and charged anew in three
 * cases: the charge of the first decision no longer covers a run, another policy version now governs the
 * call, or the kill switch that denied the call has ended. Never rejects.
 * @returns null when the key was used with another body before.
 */
export async function executeOnce(
  parts: ReplayParts,
  received: ReceivedCall,
  idempotent: IdempotentCall,
): Promise<Verdict | null> {
  const { principal, request } = received;
  const { org, id } = principal;
  const { idempotencyKey, bodyDigest } = idempotent;
  const key = JSON.stringify([org, id, idempotencyKey]);
  const namespace = namespaceOfCall(received, parts.control.state);
  const agentId = ownText(request.agent_id);
  const call: NamedCall = { org, agentId, namespace: ownText(namespace), key, bodyDigest };
  const claimed = claimedKey(parts.digest, principal, idempotent);
  const deadline = { clock: parts.clock, deadlineMs: parts.clock.nowMs() + DECISION_DEADLINE_MS };
  const decide = (replaces: RowPosition | null): Promise<Verdict | null> =>
    parts.replays.remember(call, executeWithKey(parts, received, { ...claimed, replaces }));
  for (;;) {
    const known = parts.replays.find(call);
    if (known === null) return decide(null);
    if (!(await isRecorded(known, deadline))) return NOT_RECORDED_IN_TIME;
    const verdict = await verdictOf(known);
    if (known.call.bodyDigest !== bodyDigest) {
      // When the remembered call lost the key to another request, its entry says nothing about this one.
      if (verdict !== null) return null;
      continue;
    }
    if (verdict === null) return null;
    const repeated = { ...received, verdict };
    const holds =
      known.spent || known.call.namespace !== namespace
        ? false
        : await stillHolds(parts, repeated, claimed, deadline);
    if (holds === null) return NOT_VERIFIED_IN_TIME;
    // An outcome that arrived while the verdict was awaited counts. From here to the answer
    // nothing is awaited.
    if (known.reports.size > 0) continue;
    const answered = holds && !known.spent ? answerRepeat(parts, repeated) : null;
    if (answered !== null) return answered;
    // When several repeats race, one decides anew and the others find its decision.
    if (parts.replays.find(call) === known) return decide(positionOf(verdict));
  }
}

/**
 * Whether a verdict that this process remembers is still the decision of its key: another process may
 * have recorded its outcome, or decided the call anew. A deny is not looked up. Null when the store
 * does not answer.
 */
async function stillHolds(
  { keyHolder, clock, log }: ReplayParts,
  { requestId, verdict }: RepeatedCall,
  key: ClaimedKey,
  deadline: Deadline,
): Promise<boolean | null> {
  if (verdict.decision === "deny") return true;
  try {
    const asked = async () => ({ holder: await keyHolder(key, clock.now().getTime()) });
    const found = await beforeDeadline(deadline, asked);
    if (found === null) return null;
    return found.holder !== null && formatDecisionId(found.holder) === verdict.decision_id;
  } catch (error) {
    log.warn(
      { ...faultFields(error), request_id: requestId.text },
      "a repeated call was denied because its key could not be read",
    );
    return null;
  }
}

function positionOf({ decision_id: id }: Verdict): RowPosition | null {
  return id === undefined ? null : parseDecisionId(id);
}

/** The answer to a repeat; null when the call must be decided anew. Never throws. */
function answerRepeat(parts: ExecuteParts, repeated: RepeatedCall): Promise<Verdict> | Verdict | null {
  try {
    const judged = judgeRepeat(parts, repeated);
    switch (judged.kind) {
      case "stands":
        return { ...repeated.verdict, repeated: true };
      case "stopped":
        return judged.verdict.catch((error: unknown) => failedCheck(parts, repeated, error));
      case "outdated":
        return null;
    }
  } catch (error) {
    return failedCheck(parts, repeated, error);
  }
}

function failedCheck({ log }: ExecuteParts, { requestId }: RepeatedCall, error: unknown): Verdict {
  log.error(
    { err: error, request_id: requestId.text },
    "a repeated call was denied because checking it failed",
  );
  return failClosedDeny("internal_error", "the gateway failed while deciding this call");
}

const NOT_VERIFIED_IN_TIME = failClosedDeny(
  "audit_unavailable",
  "the first decision of this call could not be looked up",
);

const NOT_RECORDED_IN_TIME = failClosedDeny(
  "audit_unavailable",
  "the outcome of this call's first decision could not be recorded in time",
);

/**
 * Waits until no outcome of the remembered decision is being recorded; false when the deadline passes first.
 */
async function isRecorded({ reports }: Remembered, deadline: Deadline): Promise<boolean> {
  while (reports.size > 0) {
    if ((await beforeDeadline(deadline, () => Promise.all(reports))) === null) return false;
  }
  return true;
}

async function verdictOf({ answer }: Remembered): Promise<Verdict | null> {
  if (!Buffer.isBuffer(answer)) return answer;
  // This process wrote these bytes itself, from a verdict.
  return JSON.parse(answer.toString("utf8")) as Verdict;
}
