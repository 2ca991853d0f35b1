import type { DecisionRow, OutcomeRow } from "@svc/contract/audit-row";
import { applyCeiling, applyMode, exceededCeilings, type ModedDecision } from "@svc/engine/apply-mode";
import type { Evaluation, GovernedCall } from "@svc/engine/evaluation";
import { canonicalJson } from "@svc/text/canonical-json";
import type { KeyedDigest } from "@svc/text/keyed-digest";
import { parseUsd } from "@svc/text/usd";
import { askModules, withModules } from "../ask-modules.ts";
import { callOf } from "../explain/call-of-row.ts";
import { mayHoldMask } from "../explain/masked-args.ts";
import { sameDigest } from "../explain/masked-row.ts";
import { ModuleFailed } from "./module-failed.ts";
import { type ReplayedUsage, SessionUsageTable } from "./session-usage-table.ts";
import { TooManySessions } from "./too-many-sessions.ts";
import type { WatchedPolicy } from "./watched-policy.ts";

/** A recorded call under a policy. */
export interface DecidedCall {
  readonly decided: ModedDecision;
  /** Whether the policy pauses the call, and its approval had been granted then. */
  readonly isApproved: boolean;
  /** What keeps anything from being claimed. Null: the call is decided. */
  readonly undecidedBy: "mask" | "session" | null;
}

export interface RowToDecide {
  readonly row: DecisionRow;
  readonly isMasked: boolean;
  /** What `CallDecider.ask` answered to the row; null for a policy without a module. */
  readonly said: Evaluation | null;
}

/** Decides recorded calls again by one policy, and charges their sessions for what it allows. */
export class CallDecider {
  readonly #watched: WatchedPolicy;
  readonly #sessions: SessionUsageTable;

  /** @param sharers how many of them share the memory of one replay */
  constructor(watched: WatchedPolicy, sharers: number) {
    this.#watched = watched;
    this.#sessions = new SessionUsageTable(sharers);
  }

  get hasModules(): boolean {
    return this.#watched.policy.needs.async;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  get outcomesApplied(): number {
    return this.#sessions.outcomesApplied;
  }

  /**
   * What the module of the policy says of the call, by what its session has used now. Rejects with
   * `ModuleFailed` and `TooManySessions`.
   */
  async ask(row: DecisionRow): Promise<Evaluation | null> {
    const { policy } = this.#watched;
    if (!policy.needs.async) return null;
    const said = await askModules(policy, callOf(row, this.#usageOf(row)));
    if (said?.rego?.kind === "failed") throw new ModuleFailed(policy.id, said.rego.code);
    return said;
  }

  /** @throws TooManySessions */
  decide(decisionId: string, { row, isMasked, said }: RowToDecide): DecidedCall {
    const usage = this.#usageOf(row);
    const call = callOf(row, usage);
    const { evaluation: own, readMask: readByRules } = isMasked
      ? this.#evaluateMasked(row, call)
      : { evaluation: this.#watched.policy.evaluate(call), readMask: false };
    const evaluation = withModules(this.#watched.policy, own, said);
    // A module may read every argument.
    const readMask = readByRules || (isMasked && said !== null);
    const decided = this.#apply(evaluation, usage);
    const isApproved = decided.decision === "pause" && row.decision === "allow" && row.approval_id !== null;
    if (usage !== null && (isApproved || decided.decision === "allow"))
      this.#sessions.charge(decisionId, usage, evaluation.costMicroUsd);
    // From here on nobody knows what the session has used.
    if (readMask && usage !== null) usage.isUncertain = true;
    const bySession = usage?.isUncertain === true ? "session" : null;
    return { decided, isApproved, undecidedBy: readMask ? "mask" : bySession };
  }

  settle(row: OutcomeRow): void {
    if (!this.#watched.policy.needs.counter) return;
    const costMicroUsd = row.cost_usd === null ? null : parseUsd(row.cost_usd);
    this.#sessions.settle(row.decision_id, { isExecuted: row.status !== "not_executed", costMicroUsd });
  }

  #usageOf(row: DecisionRow): ReplayedUsage | null {
    if (!this.#watched.policy.needs.counter || row.session_id === null) return null;
    const seen = row.session_usage;
    const seed =
      seen === undefined ? null : { steps: seen.steps, costMicroUsd: parseUsd(seen.cost_usd) ?? 0 };
    const usage = this.#sessions.usageOf(row.agent_id, row.session_id, seed);
    if (usage === null) throw new TooManySessions("more sessions than a replay can keep");
    return usage;
  }

  /** A masked name can decide everywhere, and a mask is not rewritten as a value is. */
  #evaluateMasked(row: DecisionRow, call: GovernedCall) {
    const watched = this.#watched.evaluateMasked(call);
    const isRewritten = row.shaped_args_digest !== null || watched.evaluation.shapedArgs !== null;
    return { ...watched, readMask: watched.readMask || isNameMasked(row) || isRewritten };
  }

  #apply(evaluation: Evaluation, usage: ReplayedUsage | null): ModedDecision {
    const { policy } = this.#watched;
    const moded = applyMode(evaluation, policy.mode);
    if (moded.decision !== "allow" || usage === null) return moded;
    const [ceiling] = exceededCeilings(policy, usage, evaluation.costMicroUsd);
    if (ceiling === undefined) return moded;
    return applyCeiling(moded, policy.mode, { ceiling, steps: usage.steps });
  }
}

/** Whether a row hides something that a policy could read. @param text of the row: canonical JSON */
export function isRowMasked(row: DecisionRow, text: string, digest: KeyedDigest): boolean {
  if (!mayHoldMask(text)) return false;
  const args = canonicalJson(row.args);
  return isNameMasked(row) || (mayHoldMask(args) && !sameDigest(row.args_digest, args, digest));
}

function isNameMasked({ agent_id, session_id, namespace, tool }: DecisionRow): boolean {
  return [agent_id, session_id ?? "", namespace, tool].some(mayHoldMask);
}
