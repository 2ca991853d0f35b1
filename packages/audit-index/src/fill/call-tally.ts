import { isName } from "@svc/contract/name";
import { getOrAdd } from "@svc/process/get-or-add";
import type { Value } from "../database/index-database.ts";
import { CALLS, ENTRIES, SESSIONS } from "../database/index-tables.ts";
import { nameDigest } from "../database/name-digest.ts";
import type { DecisionFacts } from "../read-facts.ts";
import { Buckets } from "./buckets.ts";

/** Most micro-USD of one bucket: integers up to here are exact in JavaScript. It is nine billion USD. */
const MAX_COST = Number.MAX_SAFE_INTEGER;

/** Adds to buckets that are there. */
export const ADD_MINUTES = `ON CONFLICT (org, level, bucket, agent) DO UPDATE SET
  n = ${CALLS.name}.n + excluded.n,
  denied = ${CALLS.name}.denied + excluded.denied,
  paused = ${CALLS.name}.paused + excluded.paused,
  cost = CASE WHEN ${CALLS.name}.cost + excluded.cost > ${String(MAX_COST)} THEN ${String(MAX_COST)}
    ELSE ${CALLS.name}.cost + excluded.cost END`;

/** For sessions that are there: the earliest call and the latest one. */
export const MERGE_SESSIONS = `ON CONFLICT (agent, session) DO UPDATE SET
  first_at = CASE WHEN excluded.first_at < ${SESSIONS.name}.first_at
    THEN excluded.first_at ELSE ${SESSIONS.name}.first_at END,
  last_at = CASE WHEN excluded.last_at > ${SESSIONS.name}.last_at
    THEN excluded.last_at ELSE ${SESSIONS.name}.last_at END`;

/** Counts of an agent before its first row that is left go, too. ?3: milliseconds of a bucket. */
export const FORGET_MINUTES = `DELETE FROM ${CALLS.name} WHERE agent = ?1 AND level = ?2
  AND (bucket + 1) * ?3 <= coalesce((SELECT min(e.at) FROM ${ENTRIES.name} AS e WHERE e.agent = ?1),
    ${String(Number.MAX_SAFE_INTEGER)})`;

/** A session stays while another row names it. */
export const FORGET_SESSION = `DELETE FROM ${SESSIONS.name} WHERE agent = ?1 AND session = ?2
  AND NOT EXISTS (SELECT 1 FROM ${ENTRIES.name} AS e
    WHERE e.session = ?2 AND e.session IS NOT NULL AND e.agent = ?1)`;

interface Count {
  n: number;
  denied: number;
  paused: number;
  cost: number;
}

interface OfAgent {
  readonly org: number;
  readonly buckets: Buckets<Count>;
  /** First and latest call by the digest of the session. */
  readonly sessions: Map<number, { firstAt: number; lastAt: number }>;
}

/** Counts the calls of each agent of a batch. */
export class CallTally {
  /** By the digest of the agent. */
  readonly #agents = new Map<number, OfAgent>();

  addDecision(facts: DecisionFacts, at: number): void {
    const agent = this.#agentOf(facts);
    if (agent === null) return;
    for (const count of agent.buckets.at(at)) {
      count.n += 1;
      count.denied += facts.decision === "deny" ? 1 : 0;
      count.paused += facts.decision === "pause" ? 1 : 0;
      count.cost += facts.decision === "allow" ? facts.costMicroUsd : 0;
    }
    if (facts.session === null) return;
    const session = nameDigest("session", facts.org, facts.session);
    const seen = getOrAdd(agent.sessions, session, () => ({ firstAt: at, lastAt: at }));
    seen.firstAt = Math.min(seen.firstAt, at);
    seen.lastAt = Math.max(seen.lastAt, at);
  }

  /**
   * Counts the report about a decision at the time of the decision.
   * @param report micro-USD that the call cost more; `withdrawn`: its caller was denied
   */
  addReport(decision: DecisionFacts, report: "withdrawn" | number): void {
    if (decision.at === null || decision.decision === "deny" || report === 0) return;
    const isAllow = decision.decision === "allow";
    for (const count of this.#agentOf(decision)?.buckets.at(decision.at) ?? [])
      if (report === "withdrawn") {
        count.denied += 1;
        count.paused -= isAllow ? 0 : 1;
        count.cost -= isAllow ? decision.costMicroUsd : 0;
      } else count.cost += report;
  }

  rows(): Readonly<Record<"minutes" | "sessions", readonly (readonly Value[])[]>> {
    const agents = [...this.#agents];
    return {
      minutes: agents.flatMap(([agent, { org, buckets }]) =>
        buckets
          .items()
          .map(([level, bucket, { n, denied, paused, cost }]) => [
            org,
            level,
            bucket,
            agent,
            n,
            denied,
            paused,
            Math.min(cost, MAX_COST),
          ]),
      ),
      sessions: agents.flatMap(([agent, { sessions }]) =>
        [...sessions].map(([session, { firstAt, lastAt }]) => [agent, session, firstAt, lastAt]),
      ),
    };
  }

  /** No request has a masked name, so nobody can ask for such an agent. */
  #agentOf({ org, agent }: DecisionFacts): OfAgent | null {
    if (agent === null || !isName(agent)) return null;
    return getOrAdd(this.#agents, nameDigest("agent", org, agent), () => ({
      org: nameDigest("org", org, ""),
      buckets: new Buckets<Count>(() => ({ n: 0, denied: 0, paused: 0, cost: 0 })),
      sessions: new Map<number, { firstAt: number; lastAt: number }>(),
    }));
  }
}
