import type { Principal } from "@svc/contract/principal";
import type { Verdict } from "@svc/contract/verdict";
import { type Claims, NO_CLAIMS } from "@svc/store/ports/claims";
import type { Ledger } from "@svc/store/ports/ledger";
import type { RowPosition } from "@svc/store/ports/row-position";
import type { SessionUsage } from "@svc/store/ports/session-usage";
import type { ActivityWindow } from "./activity-window.ts";
import { answer, deny } from "./answer.ts";
import { beforeDeadline } from "./before-deadline.ts";
import type { RowPolicy } from "./call-content.ts";
import { type CallRequest, type PendingCall, pendingCall } from "./governed-call.ts";
import type { AppendOutcome, LedgerQueue } from "@svc/log-writer/ledger-queue";
import {
  governingPolicy,
  type LiveControl,
  type ReadyPolicy,
  refuseByControl,
  rowPolicy,
} from "./control-checks.ts";
import type { KeyedDigest } from "./keyed-digest.ts";
import { ceilingRuling, observing, rulingOf } from "./policy-ruling.ts";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import { faultRuling, type Ruling } from "./ruling.ts";
import { sessionKeyOf } from "./session-key.ts";
import type { KeyedMutex } from "./keyed-mutex.ts";
import type { WithdrawnRow } from "./withdraw.ts";

/** Evaluations of one call while its session keeps moving under it; past them the call is denied. */
const MAX_EVALUATIONS = 8;

export interface ExecuteParts {
  readonly control: LiveControl;
  readonly queue: LedgerQueue;
  readonly usage: Ledger["usage"];
  /** By session: two calls of one session must not both be judged by the same usage. */
  readonly sessionMutex: KeyedMutex;
  /** Told of a durable row whose verdict was not given. */
  readonly withdraw: (row: WithdrawnRow) => void;
  readonly activity: ActivityWindow;
  readonly digest: KeyedDigest;
  readonly clock: MonotonicClock & WallClock;
  readonly log: Logger;
  /** Prefix of approval URLs, without a slash at its end. */
  readonly publicUrl: string;
}

/**
 * Decides one intended tool call and makes the decision durable before it is told.
 * Never rejects: every fault on the way is a deny with `fail_closed`.
 */
export async function execute(
  parts: ExecuteParts,
  principal: Principal,
  request: CallRequest,
): Promise<Verdict> {
  const fault = faultRuling("internal_error", "the gateway failed while deciding this call");
  let call: PendingCall | null = null;
  try {
    call = pendingCall(principal, request, parts.clock.nowMs());
    parts.activity.note(call);
    return await decide(parts, call);
  } catch (error) {
    parts.log.error({ err: error }, "a call was denied because deciding it failed");
    return call === null ? deny(fault) : concludeFault(parts, call, fault).catch(() => deny(fault));
  }
}

/** One more call with the key of an earlier one, and the verdict that is remembered of it. */
export interface RepeatedCall {
  readonly principal: Principal;
  readonly request: CallRequest;
  readonly verdict: Verdict;
}

/**
 * What a remembered verdict is worth now. `stopped`: something denies the call by now. `outdated`: the call
 * has to be decided afresh.
 */
export type RepeatJudgement =
  | { readonly kind: "stands" }
  | { readonly kind: "outdated" }
  | { readonly kind: "stopped"; readonly verdict: Promise<Verdict> };

/**
 * Runs the control checks on a remembered verdict. Without an await: what it finds holds when the caller
 * answers at once.
 */
export function judgeRepeat(
  parts: ExecuteParts,
  { principal, request, verdict }: RepeatedCall,
): RepeatJudgement {
  const killed = verdict.decision === "deny" && verdict.reason_code === "kill_switch";
  if (verdict.decision === "deny" && !killed) return { kind: "stands" };
  const call = pendingCall(principal, request, parts.clock.nowMs());
  const stopped = refuseByControl(parts.control, call);
  if (killed) return { kind: stopped === null ? "outdated" : "stands" };
  if (stopped !== null) return { kind: "stopped", verdict: conclude(parts, call, stopped) };
  return { kind: isStillGoverned(parts, call, verdict) ? "stands" : "outdated" };
}

function isStillGoverned({ control }: ExecuteParts, call: PendingCall, verdict: Verdict): boolean {
  const governing = governingPolicy(control, call);
  if (governing.kind === "ruled") return false;
  return governing.policy.id === verdict.policy_id && governing.version === verdict.policy_version;
}

async function decide(parts: ExecuteParts, call: PendingCall): Promise<Verdict> {
  const refusal = refuseByControl(parts.control, call);
  if (refusal !== null) return conclude(parts, call, refusal);
  const governing = governingPolicy(parts.control, call);
  if (governing.kind === "ruled") return conclude(parts, call, governing.ruling);

  const key = governing.policy.readsUsage ? sessionKeyOf(call) : null;
  if (key === null) return decideByPolicy(parts, call, governing, null);
  return parts.sessionMutex.run(JSON.stringify([key.org, key.agentId, key.sessionId]), async () => {
    const usage = await beforeDeadline({ clock: parts.clock, deadlineMs: call.deadlineMs }, () =>
      parts.usage(key),
    );
    return usage === null ? deny(NOT_IN_TIME) : decideByPolicy(parts, call, governing, usage);
  });
}

const NOT_IN_TIME = faultRuling("session_contended", "what the session has used could not be read in time");

async function decideByPolicy(
  parts: ExecuteParts,
  call: PendingCall,
  governing: ReadyPolicy,
  firstUsage: SessionUsage | null,
): Promise<Verdict> {
  let usage = firstUsage;
  for (let evaluations = 1; evaluations <= MAX_EVALUATIONS; evaluations += 1) {
    const evaluation = await call.content.evaluate(governing, call, usage);
    const ruled = observing(rulingOf(evaluation, governing, call), usage);
    const outcome = await append(parts, call, ruled, governing);
    if (outcome.kind !== "stale") return settleOutcome(parts, call, ruled, outcome);
    usage = outcome.usage;
  }
  const contended = faultRuling(
    "session_contended",
    "other calls of this session kept changing what it has used",
  );
  return conclude(parts, call, contended);
}

/** Appends a ruling that takes nothing from a session, and answers it. */
async function conclude(parts: ExecuteParts, call: PendingCall, ruled: Ruling): Promise<Verdict> {
  const policy = rowPolicy(parts.control, call);
  return settleOutcome(parts, call, ruled, await append(parts, call, ruled, policy));
}

/** As `conclude`, where anything may have failed: also the policy, which is therefore not asked again. */
async function concludeFault(parts: ExecuteParts, call: PendingCall, fault: Ruling): Promise<Verdict> {
  return settleOutcome(parts, call, fault, await append(parts, call, fault, "unknown"));
}

async function settleOutcome(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
  outcome: AppendOutcome,
): Promise<Verdict> {
  switch (outcome.kind) {
    case "committed":
      return answerCommitted(parts, call, ruled, outcome.position);
    case "refused":
      return conclude(parts, call, ceilingRuling(ruled, outcome));
    case "stale":
      throw new Error("the ledger called a row stale that had observed nothing");
    case "unavailable":
      return deny(faultRuling("audit_unavailable", "the decision could not be recorded"));
  }
}

/** Looks at the live kill state once more: a switch may have been pulled while the row was being written. */
async function answerCommitted(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
  position: RowPosition,
): Promise<Verdict> {
  if (ruled.decision !== "deny") {
    const stopped = refuseByControl(parts.control, call);
    if (stopped !== null) {
      const { org, principal } = call;
      parts.withdraw({ org, principal, position, claims: claimsOf(ruled) });
      return conclude(parts, call, stopped);
    }
  }
  return answer(ruled, position, parts.publicUrl);
}

/** @param policy what its rules redact is masked in the row, whatever was decided. */
async function append(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
  policy: RowPolicy,
): Promise<AppendOutcome> {
  const latencyUs = Math.round((parts.clock.nowMs() - call.receivedAtMs) * 1_000);
  const row = await call.content.rowText(call, policy, {
    ruled,
    moment: { time: parts.clock.now(), latencyUs },
    digest: parts.digest,
  });
  return parts.queue.append({ row, claims: claimsOf(ruled) }, call.deadlineMs);
}

function claimsOf({ reservation }: Ruling): Claims {
  return { ...NO_CLAIMS, reservation };
}
