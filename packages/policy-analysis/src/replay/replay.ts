import type { DecisionRow, OutcomeRow } from "@svc/contract/audit-row";
import type { ReplayChange, ReplayResult } from "@svc/contract/replay";
import type { ModedDecision } from "@svc/engine/apply-mode";
import type { Evaluation } from "@svc/engine/evaluation";
import { canonicalJson } from "@svc/text/canonical-json";
import { digestOf } from "@svc/text/digest-of";
import type { KeyedDigest } from "@svc/text/keyed-digest";
import { isDeniedWithGrant, isNotOpened } from "../explain/decided-again.ts";
import { sameDigest } from "../explain/masked-row.ts";
import { CallDecider, type DecidedCall, isRowMasked } from "./call-decider.ts";
import { ChangeGroups } from "./change-groups.ts";
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

/** The policies of a replay. */
export interface ReplayedPolicies {
  readonly candidate: WatchedPolicy;
  /** Its decisions are what those of the candidate are compared with. Null: those that were recorded are. */
  readonly base: WatchedPolicy | null;
}

/** What the modules of the policies of a replay say of one row. */
interface SaidOfRow {
  readonly candidate: Evaluation | null;
  readonly base: Evaluation | null;
}

const NOTHING_SAID: SaidOfRow = { candidate: null, base: null };

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
  readonly #candidate: CallDecider;
  readonly #base: CallDecider | null;
  readonly #scope: ReplayScope;
  readonly #digest: KeyedDigest;
  readonly #groups = new ChangeGroups();
  readonly #counts = { ...NO_COUNTS };
  readonly #seen = { calls: 0, masked: 0, approvals: 0 };
  readonly #undecided = { mask: 0, session: 0 };
  readonly #notReplayed = { kill_switch: 0, fault: 0, gateway: 0 };
  readonly #wouldBe = { deny: 0, pause: 0 };

  constructor({ candidate, base }: ReplayedPolicies, scope: ReplayScope, digest: KeyedDigest) {
    const sharers = base === null ? 1 : 2;
    this.#candidate = new CallDecider(candidate, sharers);
    this.#base = base === null ? null : new CallDecider(base, sharers);
    this.#scope = scope;
    this.#digest = digest;
  }

  /** Whether a policy of the replay has a module, which must be asked about every row before it is taken. */
  get hasModules(): boolean {
    return this.#candidate.hasModules || this.#base?.hasModules === true;
  }

  /** What the modules say of a row. Rejects with `ModuleFailed` and `TooManySessions`. */
  async ask(row: DecisionRow | OutcomeRow): Promise<SaidOfRow> {
    if (row.kind === "outcome" || !this.#isOfTime(row) || this.#reasonToSkip(row) !== null)
      return NOTHING_SAID;
    return { candidate: await this.#candidate.ask(row), base: (await this.#base?.ask(row)) ?? null };
  }

  /**
   * @param text of the row: canonical JSON
   * @param said what `ask` answered to the row
   * @throws TooManySessions
   */
  take(decisionId: string, row: DecisionRow | OutcomeRow, text: string, said = NOTHING_SAID): void {
    if (!this.#isOfTime(row)) return;
    if (row.kind === "outcome") {
      this.#candidate.settle(row);
      this.#base?.settle(row);
      return;
    }
    const skipped = this.#reasonToSkip(row);
    if (skipped === null) this.#decide(decisionId, row, { text, said });
    else if (skipped !== "other_policy") this.#notReplayed[skipped] += 1;
  }

  #isOfTime(row: DecisionRow | OutcomeRow): boolean {
    const { org, since, until } = this.#scope;
    return row.org === org && row.time >= since && row.time < until;
  }

  /** What became of the decisions, and a digest of all of it. */
  result(rowsRemoved: number): ReplayResult {
    const { calls, masked, approvals } = this.#seen;
    const result = {
      calls,
      ...this.#counts,
      masked,
      undecided: { masked: this.#undecided.mask, session: this.#undecided.session },
      would_be: { ...this.#wouldBe },
      not_replayed: { ...this.#notReplayed },
      approvals_used: approvals,
      sessions: this.#candidate.sessions,
      outcomes_applied: this.#candidate.outcomesApplied,
      rows_removed: rowsRemoved,
      groups: this.#groups.list(),
      groups_left_out: this.#groups.leftOut,
    };
    return { ...result, digest: digestOf(result) };
  }

  /** Null: the call is decided again. */
  #reasonToSkip(row: DecisionRow): "other_policy" | ReturnType<typeof sourceOf> {
    const { agents, policyId } = this.#scope;
    if (agents === null ? row.policy_id !== policyId : !agents.has(row.agent_id)) return "other_policy";
    return sourceOf(row);
  }

  #decide(
    decisionId: string,
    row: DecisionRow,
    { text, said }: { readonly text: string; readonly said: SaidOfRow },
  ): void {
    this.#seen.calls += 1;
    const isMasked = isRowMasked(row, text, this.#digest);
    if (isMasked) this.#seen.masked += 1;
    const candidate = this.#candidate.decide(decisionId, { row, isMasked, said: said.candidate });
    const base = this.#base?.decide(decisionId, { row, isMasked, said: said.base }) ?? null;
    const { decided, isApproved } = candidate;
    if (isApproved) this.#seen.approvals += 1;
    const undecidedBy = candidate.undecidedBy ?? base?.undecidedBy ?? null;
    if (undecidedBy !== null) {
      this.#undecided[undecidedBy] += 1;
      return;
    }
    if (decided.wouldBe !== null) this.#wouldBe[decided.wouldBe.decision] += 1;
    const change = base === null ? this.#sinceRecorded(row, candidate) : changeOf(base.decided, decided);
    this.#counts[change] += 1;
    if (change === "unchanged") return;
    const { ruleId, reasonCode } = decided;
    const was =
      base === null
        ? { wasRuleId: row.rule_id, wasReasonCode: row.reason_code }
        : { wasRuleId: base.decided.ruleId, wasReasonCode: base.decided.reasonCode };
    this.#groups.add({ change, tool: row.tool, ruleId, reasonCode, ...was }, decisionId);
  }

  #sinceRecorded(row: DecisionRow, { decided, isApproved }: DecidedCall): Count {
    const wasPaused = decided.decision === "pause" && (isNotOpened(row) || isDeniedWithGrant(row));
    if (isApproved || wasPaused) return "unchanged";
    const { decision, shapedArgs } = decided;
    if (decision !== row.decision) return CHANGE_TO[decision];
    if (decision !== "allow") return "unchanged";
    const was = row.mode === "enforcement" ? row.shaped_args_digest : null;
    if (was === null) return shapedArgs === null ? "unchanged" : "newly_rewritten";
    if (shapedArgs === null) return "rewritten_otherwise";
    return sameDigest(was, canonicalJson(shapedArgs), this.#digest) ? "unchanged" : "rewritten_otherwise";
  }
}

/** What becomes of a decision of one policy under another one. */
function changeOf(was: ModedDecision, { decision, shapedArgs }: ModedDecision): Count {
  if (decision !== was.decision) return CHANGE_TO[decision];
  if (decision !== "allow") return "unchanged";
  if (was.shapedArgs === null) return shapedArgs === null ? "unchanged" : "newly_rewritten";
  if (shapedArgs === null) return "rewritten_otherwise";
  return canonicalJson(was.shapedArgs) === canonicalJson(shapedArgs) ? "unchanged" : "rewritten_otherwise";
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
