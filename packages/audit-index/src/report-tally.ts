import type { DecisionPattern } from "./decision-pattern.ts";
import type { Value } from "./index-database.ts";
import { nameDigest } from "./name-digest.ts";
import { member, type RowFacts, text } from "./read-facts.ts";

/** Milliseconds of a bucket by level: minutes, then hours. */
export const BUCKET_MS = [60_000, 3_600_000] as const;

/** Sorts of actors that are counted. */
export const AGENT = 0;
export const SESSION = 1;

/** Counts the decisions of a batch by policy, time and pattern. */
export class ReportTally {
  readonly #counts = new Map<
    string,
    [...key: readonly number[], n: number, withdrawn: number, place: number]
  >();
  readonly #patterns = new Map<number, string>();
  readonly #actors = new Map<string, readonly number[]>();

  addDecision(facts: RowFacts, at: number, place: number): void {
    this.#add(facts, at, { n: 1, withdrawn: 0, place });
    if (facts.policy === null) return;
    const policy = nameDigest("policy", facts.org, facts.policy);
    const version = facts.policyVersion ?? 0;
    const actors: (readonly [sort: number, actor: number])[] = [];
    if (facts.agent !== null) actors.push([AGENT, nameDigest("agent", facts.org, facts.agent)]);
    if (facts.session !== null) {
      const key = `${facts.agent ?? ""}\0${facts.session}`;
      actors.push([SESSION, nameDigest("session", facts.org, key)]);
    }
    for (const [level, ms] of BUCKET_MS.entries())
      for (const [sort, actor] of actors) {
        const row = [policy, level, Math.floor(at / ms), version, sort, actor];
        this.#actors.set(row.join(), row);
      }
  }

  /** Counts a decision that nobody got, at the time of the decision. */
  addWithdrawal(decision: RowFacts, place: number): void {
    if (decision.at !== null) this.#add(decision, decision.at, { n: 0, withdrawn: 1, place });
  }

  rows(): Readonly<Record<"counts" | "patterns" | "actors", readonly (readonly Value[])[]>> {
    return {
      counts: [...this.#counts.values()],
      patterns: [...this.#patterns],
      actors: [...this.#actors.values()],
    };
  }

  #add(facts: RowFacts, at: number, added: { n: number; withdrawn: number; place: number }): void {
    if (facts.policy === null) return;
    const policy = nameDigest("policy", facts.org, facts.policy);
    const description = JSON.stringify(patternOf(facts));
    const pattern = nameDigest("pattern", "", description);
    this.#patterns.set(pattern, description);
    for (const [level, ms] of BUCKET_MS.entries()) {
      const key = [policy, level, Math.floor(at / ms), pattern] as const;
      const [, , , , n = 0, withdrawn = 0] = this.#counts.get(key.join()) ?? [];
      this.#counts.set(key.join(), [...key, n + added.n, withdrawn + added.withdrawn, added.place]);
    }
  }
}

function patternOf(facts: RowFacts): DecisionPattern {
  return {
    version: facts.policyVersion,
    mode: text(facts.row["mode"]),
    decision: facts.decision ?? "",
    would_be: facts.wouldBe,
    rule_id: facts.rule,
    would_be_rule_id: text(member(facts.row["would_be"], "rule_id")),
    tool: facts.tool,
  };
}
