import type { KeyedDigest } from "@svc/contract/keyed-digest";
import type { Verdict } from "@svc/contract/verdict";
import type { AppendOutcome, LedgerQueue, OnLateCommit } from "@svc/log-writer/ledger-queue";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { AuditStore } from "@svc/store/ports/audit-store";
import { type Claims, NO_CLAIMS } from "@svc/store/ports/claims";
import type { Ledger } from "@svc/store/ports/ledger";
import type { RowPosition } from "@svc/store/ports/row-position";
import type { SessionUsage } from "@svc/store/ports/session-usage";
import type { ActivityWindow } from "./activity-window.ts";
import { answer, deny } from "./answer.ts";
import { beforeDeadline } from "./before-deadline.ts";
import type { RowPolicy } from "./call-content.ts";
import type { ClaimedKey } from "./claimed-key.ts";
import { type LiveControl, refuseByControl } from "./control-checks.ts";
import { governingPolicy, type ReadyPolicy, rowPolicy } from "./governing-policy.ts";
import type { KeyedMutex } from "./keyed-mutex.ts";
import { type PendingCall, pendingCall, type ReceivedCall } from "./pending-call.ts";
import { ceilingRuling, rulingOf, withObservedUsage } from "./policy-ruling.ts";
import { REMEMBERED_FOR_MS } from "./remembered-call.ts";
import { faultRuling, type Ruling } from "./ruling.ts";
import { sessionKeyOf } from "./session-key.ts";
import { judgeStoredDecision, readStoredDecision } from "./stored-decision.ts";
import type { WithdrawnRow } from "./withdrawals.ts";

/** Most evaluations of one call whose session usage keeps changing; after them the call is denied. */
const MAX_EVALUATIONS = 8;

/** Most decisions of one call whose key other processes keep taking; after them the call is denied. */
const MAX_TAKEOVERS = 4;

export interface ExecuteParts {
  readonly control: LiveControl;
  readonly queue: Pick<LedgerQueue, "append">;
  /** Called for a row that committed after its call had been denied because the row was not durable. */
  readonly onLateRow: OnLateCommit;
  readonly usage: Ledger["usage"];
  /** Keyed by session: two calls of one session must not both be judged by the same usage. */
  readonly sessionMutex: KeyedMutex;
  readonly audit: Pick<AuditStore, "row">;
  /** Called for a durable row whose verdict the caller did not get. */
  readonly withdraw: (row: WithdrawnRow) => void;
  readonly activity: ActivityWindow;
  readonly digest: KeyedDigest;
  readonly clock: MonotonicClock & WallClock;
  readonly log: Logger;
  /** Prefix of approval URLs, without a slash at its end. */
  readonly publicUrl: string;
}

/**
 * The result for one call. `outdated`: the row at `position` holds the key, and its decision is out of date.
 */
type Concluded =
  | { readonly kind: "answered"; readonly verdict: Verdict }
  | { readonly kind: "key_conflict" }
  | { readonly kind: "outdated"; readonly position: RowPosition };

/**
 * Decides one intended tool call and makes the decision durable before it is told.
 * Never rejects: every fault on the way is a deny with `fail_closed`.
 */
export async function execute(parts: ExecuteParts, received: ReceivedCall): Promise<Verdict> {
  return (await executeWithKey(parts, received, null)) ?? deny(FAILED);
}

/**
 * The same for a call that its caller named: its row takes the key. When another row has the key, that row's
 * decision is the answer as long as it is worth anything.
 * @returns null when another request has the key
 */
export async function executeWithKey(
  parts: ExecuteParts,
  received: ReceivedCall,
  key: ClaimedKey | null,
): Promise<Verdict | null> {
  let call: PendingCall | null = null;
  try {
    call = pendingCall(received, parts.clock.nowMs());
    parts.activity.note(call);
    return await decideWithKey(parts, key === null ? call : { ...call, key });
  } catch (error) {
    const request_id = received.requestId.text;
    parts.log.error({ err: error, request_id }, "a call was denied because deciding it failed");
    return call === null ? deny(FAILED) : concludeFault(parts, call, FAILED).catch(() => deny(FAILED));
  }
}

const FAILED = faultRuling("internal_error", "the gateway failed while deciding this call");

const KEY_CONTENDED = faultRuling(
  "session_contended",
  "other calls with this Idempotency-Key kept being decided",
);

async function decideWithKey(parts: ExecuteParts, call: PendingCall): Promise<Verdict | null> {
  let current = call;
  for (let attempts = 1; attempts <= MAX_TAKEOVERS; attempts += 1) {
    const concluded = await decide(parts, current);
    if (concluded.kind === "answered") return concluded.verdict;
    if (concluded.kind === "key_conflict" || current.key === null) return null;
    current = { ...current, key: { ...current.key, replaces: concluded.position } };
  }
  return concludeWithoutKey(parts, call, KEY_CONTENDED);
}

async function decide(parts: ExecuteParts, call: PendingCall): Promise<Concluded> {
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
    return usage === null ? answered(deny(NOT_IN_TIME)) : decideByPolicy(parts, call, governing, usage);
  });
}

const NOT_IN_TIME = faultRuling("session_contended", "what the session has used could not be read in time");

async function decideByPolicy(
  parts: ExecuteParts,
  call: PendingCall,
  governing: ReadyPolicy,
  firstUsage: SessionUsage | null,
): Promise<Concluded> {
  let usage = firstUsage;
  for (let evaluations = 1; evaluations <= MAX_EVALUATIONS; evaluations += 1) {
    const evaluation = await call.content.evaluate(governing, call, usage);
    const ruled = withObservedUsage(rulingOf(evaluation, governing, call), usage);
    const appended = await append(parts, call, ruled, governing);
    if (appended.outcome.kind !== "stale") return settleOutcome(parts, call, ruled, appended);
    usage = appended.outcome.usage;
  }
  const contended = faultRuling(
    "session_contended",
    "other calls of this session kept changing what it has used",
  );
  return conclude(parts, call, contended);
}

/** Appends a ruling that does not charge a session, and answers it. */
async function conclude(parts: ExecuteParts, call: PendingCall, ruled: Ruling): Promise<Concluded> {
  const policy = rowPolicy(parts.control, call);
  return settleOutcome(parts, call, ruled, await append(parts, call, ruled, policy));
}

/** As `conclude`, for a decision that must not take the key of the call. */
export async function concludeWithoutKey(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
): Promise<Verdict> {
  return verdictOf(await conclude(parts, { ...call, key: null }, ruled));
}

/**
 * As `conclude`, after a fault of any part. The policy itself may have failed, so it is not evaluated again.
 */
async function concludeFault(parts: ExecuteParts, call: PendingCall, fault: Ruling): Promise<Verdict> {
  const appended = await append(parts, call, fault, "unknown");
  return verdictOf(await settleOutcome(parts, call, fault, appended));
}

function answered(verdict: Verdict): Concluded {
  return { kind: "answered", verdict };
}

/** @throws unless the call was answered, which a call without a key always is. */
function verdictOf(concluded: Concluded): Verdict {
  if (concluded.kind === "answered") return concluded.verdict;
  throw new Error("the ledger reported a key that the call did not claim");
}

async function settleOutcome(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
  appended: Appended,
): Promise<Concluded> {
  const { outcome } = appended;
  switch (outcome.kind) {
    case "committed":
      return answered(await answerCommitted(parts, call, ruled, { ...appended, position: outcome.position }));
    case "refused":
      return conclude(parts, call, ceilingRuling(ruled, outcome));
    case "repeated":
      return answerRepeated(parts, call, ruled, { ...appended, position: outcome.position });
    case "key_conflict":
      return { kind: "key_conflict" };
    case "stale":
    case "grant_missing":
    case "grant_expired":
    case "grant_used":
    case "approval_open":
    case "granted":
    case "approvals_full":
    case "workflow_missing":
      throw new Error(`the ledger answered ${outcome.kind} to a row that made no such claim`);
    case "unavailable":
      return answered(deny(faultRuling("audit_unavailable", "the decision could not be recorded")));
  }
}

/**
 * Runs the control checks once more: a kill switch may have been activated while the row was being written.
 */
async function answerCommitted(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
  { claims, position }: Placed,
): Promise<Verdict> {
  const stopped = ruled.decision === "deny" ? null : refuseByControl(parts.control, call);
  if (stopped === null) return answer(ruled, position, parts.publicUrl);
  const { org, principal, requestId } = call;
  parts.withdraw({ org, principal, requestId, position, claims });
  return concludeWithoutKey(parts, call, stopped);
}

/**
 * Answers with the decision of the row that holds the key or with a stricter one, or asks for a new decision.
 */
async function answerRepeated(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
  { row, position }: Placed,
): Promise<Concluded> {
  const { clock, audit, control, publicUrl } = parts;
  const found = await beforeDeadline({ clock, deadlineMs: call.deadlineMs }, () => audit.row(position));
  const stored = found === null ? null : readStoredDecision(found.bytes);
  const repeat = readStoredDecision(Buffer.from(row));
  const judged =
    stored === null || repeat === null
      ? ({ kind: "doubtful" } as const)
      : judgeStoredDecision(stored, repeat, ruled);
  switch (judged.kind) {
    case "doubtful":
      return answered(await concludeWithoutKey(parts, call, DOUBTFUL));
    case "stricter":
      return answered(await concludeWithoutKey(parts, call, ruled));
    case "outdated":
      return { kind: "outdated", position };
    case "stands": {
      const stopped = judged.ruled.decision === "deny" ? null : refuseByControl(control, call);
      if (stopped !== null) return answered(await concludeWithoutKey(parts, call, stopped));
      return answered({ ...answer(judged.ruled, position, publicUrl), repeated: true });
    }
  }
}

const DOUBTFUL = faultRuling("internal_error", "the first decision of this repeated call could not be read");

/** A row that was handed to the ledger, with its claims and the outcome. */
interface Appended {
  readonly row: string;
  readonly claims: Claims;
  readonly outcome: AppendOutcome;
}

/**
 * The same, with the position of the row that holds the call's decision: its own row, or that of
 * the first call.
 */
type Placed = Omit<Appended, "outcome"> & { readonly position: RowPosition };

/** @param policy the row masks what this policy redacts, whatever the decision is. */
async function append(
  parts: ExecuteParts,
  call: PendingCall,
  ruled: Ruling,
  policy: RowPolicy,
): Promise<Appended> {
  const { clock, queue, digest, onLateRow } = parts;
  const latencyUs = Math.round((clock.nowMs() - call.receivedAtMs) * 1_000);
  const time = clock.now();
  const row = await call.content.rowText(call, policy, { ruled, moment: { time, latencyUs }, digest });
  const claims = claimsOf(call, ruled, time.getTime());
  return { row, claims, outcome: await queue.append({ row, claims }, call.deadlineMs, onLateRow) };
}

/** A deny that a fault caused does not take the key, so a repeat of the call can be decided. */
function claimsOf({ key }: PendingCall, { reservation, failClosed }: Ruling, atMs: number): Claims {
  const idempotency =
    key === null || failClosed ? null : { ...key, atMs, expiresAtMs: atMs + REMEMBERED_FOR_MS };
  if (reservation === null && idempotency === null) return NO_CLAIMS;
  return { ...NO_CLAIMS, reservation, idempotency };
}
