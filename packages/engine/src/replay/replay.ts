import type { DecisionRow, OutcomeRow } from "@svc/contract/audit-row";
import { canonicalJson } from "@svc/contract/canonical-json";
import { digestOf } from "@svc/contract/digest-of";
import type { KeyedDigest } from "@svc/contract/keyed-digest";
import type { ReplayChange, ReplayResult } from "@svc/contract/replay";
import { parseUsd } from "@svc/contract/usd";
import { applyCeiling, applyMode, type ModedDecision } from "../apply-mode.ts";
import type { Evaluation, GovernedCall } from "../evaluation.ts";
import { isDeniedWithGrant, isNotOpened } from "../explain/decided-again.ts";
import { mayHoldMask } from "../explain/masked-args.ts";
import { sameDigest } from "../explain/masked-row.ts";
import { receivedAt } from "../explain/received-at.ts";
import { ChangeGroups } from "./change-groups.ts";
import { type ReplayedUsage, SessionBook } from "./session-book.ts";
import type { WatchedPolicy } from "./watched-policy.ts";

/** Which recorded calls are decided again. */
export interface ReplayScope {
  readonly org: string;
  /** Calls that this policy governed, unless `agents` names others. */
  readonly policyId: string;
  /** Calls of these agents, whatever governed them; null: calls that the policy governed. */
  readonly agents: ReadonlySet<string> | null;
  /** RFC 3339; the first time that is in, and the first that is not. */
  readonly since: string;
  readonly until: string;
}

/** More sessions than a replay can keep. The caller gives the replay up. */
export class TooManySessions extends Error {
  override readonly name = "TooManySessions";
}

type Count = ReplayChange | "unchanged";

const NO_COUNTS: Readonly<Record<Count, number>> = {
  unchanged: 0,
  newly_denied: 0,
  newly_allowed: 0,
  newly_paused: 0,
  newly_rewritten: 0,
  rewritten_otherwise: 0,
};

/**
 * Decides recorded calls again under a candidate, in the order in which they are handed over. Sessions are
 * charged for what the candidate allows. Equal rows in equal order give an equal result.
 */
export class Replay {
  readonly #watched: WatchedPolicy;
  readonly #scope: ReplayScope;
  readonly #digest: KeyedDigest;
  readonly #book = new SessionBook();
  readonly #groups = new ChangeGroups();
  readonly #counts = { ...NO_COUNTS };
  readonly #seen = { calls: 0, masked: 0, undecidedByMask: 0, undecidedBySession: 0, approvals: 0 };
  readonly #notReplayed = { kill_switch: 0, fault: 0, gateway: 0 };
  readonly #wouldBe = { deny: 0, pause: 0 };
  readonly #countsSessions: boolean;

  constructor(watched: WatchedPolicy, scope: ReplayScope, digest: KeyedDigest) {
    this.#watched = watched;
    this.#scope = scope;
    this.#digest = digest;
    const { maxSteps, maxCostMicroUsd, readsUsage } = watched.policy;
    this.#countsSessions = maxSteps !== null || maxCostMicroUsd !== null || readsUsage;
  }

  /** @param text of the row: canonical JSON. @throws TooManySessions */
  take(decisionId: string, row: DecisionRow | OutcomeRow, text: string): void {
    const { org, since, until } = this.#scope;
    if (row.org !== org || row.time < since || row.time >= until) return;
    if (row.kind === "outcome") this.#settle(row);
    else if (this.#isInScope(row)) this.#decide(decisionId, row, text);
  }

  /** What became of the decisions, and a digest of all of it. */
  result(rowsRemoved: number): ReplayResult {
    const { calls, masked, undecidedByMask, undecidedBySession, approvals } = this.#seen;
    const result = {
      calls,
      ...this.#counts,
      masked,
      undecided: { masked: undecidedByMask, session: undecidedBySession },
      would_be: { ...this.#wouldBe },
      not_replayed: { ...this.#notReplayed },
      approvals_used: approvals,
      sessions: this.#book.size,
      outcomes_applied: this.#book.outcomesApplied,
      rows_removed: rowsRemoved,
      groups: this.#groups.list(),
      groups_left_out: this.#groups.leftOut,
    };
    return { ...result, digest: digestOf(result) };
  }

  #isInScope(row: DecisionRow): boolean {
    const { agents, policyId } = this.#scope;
    if (agents === null ? row.policy_id !== policyId : !agents.has(row.agent_id)) return false;
    const source = sourceOf(row);
    if (source === null) return true;
    this.#notReplayed[source] += 1;
    return false;
  }

  #settle(row: OutcomeRow): void {
    if (!this.#countsSessions) return;
    const costMicroUsd = row.cost_usd === null ? null : parseUsd(row.cost_usd);
    this.#book.settle(row.decision_id, { isExecuted: row.status !== "not_executed", costMicroUsd });
  }

  #decide(decisionId: string, row: DecisionRow, text: string): void {
    this.#seen.calls += 1;
    const usage = this.#usageOf(row);
    const call = callOf(row, usage);
    const isMasked = mayHoldMask(text) && this.#isMasked(row);
    if (isMasked) this.#seen.masked += 1;
    const { evaluation, readMask } = isMasked
      ? this.#evaluateMasked(row, call)
      : { evaluation: this.#watched.policy.evaluate(call), readMask: false };
    const decided = this.#apply(evaluation, usage);
    const isApproved = decided.decision === "pause" && row.decision === "allow" && row.approval_id !== null;
    if (isApproved) this.#seen.approvals += 1;
    if (usage !== null && (isApproved || decided.decision === "allow"))
      this.#book.charge(decisionId, usage, evaluation.costMicroUsd);
    if (this.#isUndecided(usage, readMask)) return;
    if (decided.wouldBe !== null) this.#wouldBe[decided.wouldBe.decision] += 1;
    const wasPaused = decided.decision === "pause" && (isNotOpened(row) || isDeniedWithGrant(row));
    const change = isApproved || wasPaused ? "unchanged" : this.#changeOf(row, decided);
    this.#counts[change] += 1;
    if (change === "unchanged") return;
    const { ruleId, reasonCode } = decided;
    const was = { wasRuleId: row.rule_id, wasReasonCode: row.reason_code };
    this.#groups.add({ change, tool: row.tool, ruleId, reasonCode, ...was }, decisionId);
  }

  /** Counts a decision about which nothing is claimed. */
  #isUndecided(usage: ReplayedUsage | null, readMask: boolean): boolean {
    if (readMask) {
      this.#seen.undecidedByMask += 1;
      // From here on nobody knows what the session has used.
      if (usage !== null) usage.isUncertain = true;
      return true;
    }
    if (usage?.isUncertain !== true) return false;
    this.#seen.undecidedBySession += 1;
    return true;
  }

  #usageOf(row: DecisionRow): ReplayedUsage | null {
    if (!this.#countsSessions || row.session_id === null) return null;
    const seen = row.session_usage;
    const seed =
      seen === undefined ? null : { steps: seen.steps, costMicroUsd: parseUsd(seen.cost_usd) ?? 0 };
    const usage = this.#book.usageOf(row.agent_id, row.session_id, seed);
    if (usage === null) throw new TooManySessions("more sessions than a replay can keep");
    return usage;
  }

  #isMasked(row: DecisionRow): boolean {
    const text = canonicalJson(row.args);
    const isName = [row.agent_id, row.session_id ?? "", row.namespace, row.tool].some(mayHoldMask);
    return isName || (mayHoldMask(text) && !sameDigest(row.args_digest, text, this.#digest));
  }

  /** A masked name can decide everywhere, and a mask is not rewritten as a value is. */
  #evaluateMasked(row: DecisionRow, call: GovernedCall) {
    const watched = this.#watched.evaluateMasked(call);
    const isName = [row.agent_id, row.session_id ?? "", row.namespace, row.tool].some(mayHoldMask);
    const isRewritten = row.shaped_args_digest !== null || watched.evaluation.shapedArgs !== null;
    return { ...watched, readMask: watched.readMask || isName || isRewritten };
  }

  #apply(evaluation: Evaluation, usage: ReplayedUsage | null): ModedDecision {
    const { mode, maxSteps, maxCostMicroUsd } = this.#watched.policy;
    const moded = applyMode(evaluation, mode);
    if (moded.decision !== "allow" || usage === null) return moded;
    const { steps, costMicroUsd } = usage;
    if (maxSteps !== null && steps + 1 > maxSteps)
      return applyCeiling(moded, mode, { ceiling: "max_steps", steps });
    if (maxCostMicroUsd !== null && costMicroUsd + evaluation.costMicroUsd > maxCostMicroUsd)
      return applyCeiling(moded, mode, { ceiling: "max_cost", steps });
    return moded;
  }

  #changeOf(row: DecisionRow, { decision, shapedArgs }: ModedDecision): Count {
    if (decision !== row.decision) return CHANGE_TO[decision];
    if (decision !== "allow") return "unchanged";
    const was = row.mode === "enforcement" ? row.shaped_args_digest : null;
    if (was === null) return shapedArgs === null ? "unchanged" : "newly_rewritten";
    if (shapedArgs === null) return "rewritten_otherwise";
    return sameDigest(was, canonicalJson(shapedArgs), this.#digest) ? "unchanged" : "rewritten_otherwise";
  }
}

const CHANGE_TO = { deny: "newly_denied", pause: "newly_paused", allow: "newly_allowed" } as const;

/** What decided instead of a policy; null when a policy did, or none was there. */
function sourceOf({
  fail_closed,
  reason_code,
  policy_id,
}: DecisionRow): "kill_switch" | "fault" | "gateway" | null {
  if (fail_closed) return "fault";
  if (reason_code === "kill_switch") return "kill_switch";
  return policy_id === null && reason_code !== "no_policy" ? "gateway" : null;
}

/** The call of a row, as a policy sees it. */
export function callOf(row: DecisionRow, usage: GovernedCall["usage"]): GovernedCall {
  const named = row.requested_cost;
  return {
    agentId: row.agent_id,
    sessionId: row.session_id,
    namespace: row.namespace,
    tool: row.tool,
    args: row.args,
    timeMs: receivedAt(row),
    costMicroUsd: named === undefined ? null : (parseUsd(named.usd) ?? 0),
    costIsTrusted: named?.trusted ?? false,
    usage,
  };
}
