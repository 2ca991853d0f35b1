import { getOrAdd } from "@svc/process/get-or-add";
import type { RowPosition } from "@svc/store/ports/row-position";
import type { DecisionFacts } from "../read-facts.ts";

/** Decisions of one generation, as count: reports mostly follow within seconds. Two generations are kept. */
const GENERATION = 4_000;

/** By log, then by sequence number. */
type Generation = Map<string, Map<number, DecisionFacts>>;

/** The last decisions that were indexed. A report about an older one reads the row again. */
export class RecentDecisions {
  #young: Generation = new Map();
  #old: Generation = new Map();
  #youngSize = 0;

  /** @param at the time under which the index lists the decision */
  note({ logId, seq }: RowPosition, facts: DecisionFacts, at: number): void {
    if (this.#youngSize >= GENERATION) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngSize = 0;
    }
    const ofLog = getOrAdd(this.#young, logId, () => new Map<number, DecisionFacts>());
    ofLog.set(seq, decisionFacts(facts, at));
    this.#youngSize += 1;
  }

  find({ logId, seq }: RowPosition): DecisionFacts | null {
    return this.#young.get(logId)?.get(seq) ?? this.#old.get(logId)?.get(seq) ?? null;
  }
}

/** A copy without the row. */
function decisionFacts(facts: DecisionFacts, at: number): DecisionFacts {
  const { org, agent, session, tool, namespace, rule, policy } = facts;
  const { policyVersion, mode, decision, wouldBe, wouldBeRule, costMicroUsd } = facts;
  return {
    org,
    at,
    agent,
    session,
    tool,
    namespace,
    rule,
    policy,
    policyVersion,
    mode,
    decision,
    wouldBe,
    wouldBeRule,
    costMicroUsd,
  };
}
