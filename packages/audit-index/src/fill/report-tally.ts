import { getOrAdd } from "@svc/process/get-or-add";
import type { DecisionPattern } from "../ask/decision-pattern.ts";
import type { Value } from "../database/index-database.ts";
import { nameDigest } from "../database/name-digest.ts";
import type { DecisionFacts } from "../read-facts.ts";
import { Buckets } from "./buckets.ts";

/** Sorts of actors that are counted. */
export const AGENT = 0;
export const SESSION = 1;

interface Count {
  n: number;
  withdrawn: number;
  place: number;
}

/** The digests of those who called. */
interface Actors {
  readonly agents: Set<number>;
  readonly sessions: Set<number>;
}

/** What a batch adds for one policy of an organization. */
class PolicyTally {
  /** By the digest of the pattern. */
  readonly counts = new Map<number, Buckets<Count>>();
  /** By the version of the policy. */
  readonly actors = new Map<number, Buckets<Actors>>();
}

const newPolicy = (): PolicyTally => new PolicyTally();
const newCounts = (): Buckets<Count> => new Buckets(() => ({ n: 0, withdrawn: 0, place: 0 }));
const newActors = (): Buckets<Actors> => new Buckets(() => ({ agents: new Set(), sessions: new Set() }));

/** Counts the decisions of a batch by policy, time and pattern. */
export class ReportTally {
  /** By the digest of the policy. */
  readonly #policies = new Map<number, PolicyTally>();
  readonly #patterns = new Map<string, number>();

  addDecision(facts: DecisionFacts, at: number, place: number): void {
    const policy = this.#policyOf(facts);
    if (policy === null) return;
    for (const count of this.#countsAt(policy, facts, at)) {
      count.n += 1;
      count.place = place;
    }
    const { org, agent, session } = facts;
    const ofAgent = agent === null ? null : nameDigest("agent", org, agent);
    const ofSession = session === null ? null : nameDigest("session", org, `${agent ?? ""}\0${session}`);
    for (const { agents, sessions } of getOrAdd(policy.actors, facts.policyVersion ?? 0, newActors).at(at)) {
      if (ofAgent !== null) agents.add(ofAgent);
      if (ofSession !== null) sessions.add(ofSession);
    }
  }

  /** Counts a decision that nobody got, at the time of the decision. */
  addWithdrawal(decision: DecisionFacts, place: number): void {
    const policy = this.#policyOf(decision);
    if (policy === null || decision.at === null) return;
    for (const count of this.#countsAt(policy, decision, decision.at)) {
      count.withdrawn += 1;
      count.place = place;
    }
  }

  rows(): Readonly<Record<"counts" | "patterns" | "actors", readonly (readonly Value[])[]>> {
    const policies = [...this.#policies];
    return {
      counts: policies.flatMap(([policy, { counts }]) => countRows(policy, counts)),
      patterns: [...this.#patterns].map(([description, pattern]) => [pattern, description]),
      actors: policies.flatMap(([policy, { actors }]) => actorRows(policy, actors)),
    };
  }

  #policyOf({ org, policy }: DecisionFacts): PolicyTally | null {
    return policy === null ? null : getOrAdd(this.#policies, nameDigest("policy", org, policy), newPolicy);
  }

  #countsAt(policy: PolicyTally, facts: DecisionFacts, at: number): readonly Count[] {
    const description = JSON.stringify(patternOf(facts));
    const pattern = getOrAdd(this.#patterns, description, () => nameDigest("pattern", "", description));
    return getOrAdd(policy.counts, pattern, newCounts).at(at);
  }
}

function countRows(policy: number, counts: PolicyTally["counts"]): readonly (readonly number[])[] {
  return [...counts].flatMap(([pattern, buckets]) =>
    buckets
      .items()
      .map(([level, bucket, { n, withdrawn, place }]) => [
        policy,
        level,
        bucket,
        pattern,
        n,
        withdrawn,
        place,
      ]),
  );
}

function actorRows(policy: number, actors: PolicyTally["actors"]): readonly (readonly number[])[] {
  return [...actors].flatMap(([version, buckets]) =>
    buckets
      .items()
      .flatMap(([level, bucket, { agents, sessions }]) => [
        ...[...agents].map((agent) => [policy, level, bucket, version, AGENT, agent]),
        ...[...sessions].map((session) => [policy, level, bucket, version, SESSION, session]),
      ]),
  );
}

function patternOf(facts: DecisionFacts): DecisionPattern {
  return {
    version: facts.policyVersion,
    mode: facts.mode,
    decision: facts.decision ?? "",
    would_be: facts.wouldBe,
    rule_id: facts.rule,
    would_be_rule_id: facts.wouldBeRule,
    tool: facts.tool,
  };
}
