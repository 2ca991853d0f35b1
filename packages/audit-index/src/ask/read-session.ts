import { DECISIONS } from "@svc/contract/verdict";
import type { SessionQuery } from "../audit-answers.ts";
import { type IndexDatabase, integer, type Row } from "../database/index-database.ts";
import { ENTRIES, OUTCOMES } from "../database/index-tables.ts";
import { nameDigest } from "../database/name-digest.ts";
import { className } from "../fill/entry-of.ts";

/** Entries of one session that its summary counts, as count: the newest ones. */
const MAX_ENTRIES = 10_000;

/** Policy versions and kill switches that a summary names, as count of each. */
const MAX_NAMED = 100;

/** A policy version, or a kill switch, with one of its decisions. */
export interface NamedByPlace {
  readonly decisions: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** The newest decision. Its row has the name. */
  readonly place: number;
}

export interface ReadSession {
  readonly entries: number;
  readonly complete: boolean;
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  readonly decisions: Readonly<Record<(typeof DECISIONS)[number], number>>;
  readonly withdrawn: number;
  readonly withoutOutcome: number;
  readonly policies: readonly NamedByPlace[];
  readonly killSwitches: readonly NamedByPlace[];
}

/** Counts what the entries of one session hold, without their rows. */
export async function readSession(
  database: IndexDatabase,
  { org, agentId, sessionId }: SessionQuery,
): Promise<ReadSession> {
  const values = [nameDigest("session", org, sessionId), nameDigest("agent", org, agentId)];
  const inner = `SELECT * FROM ${ENTRIES.name} WHERE session = ?1 AND (agent + 0) = ?2
    ORDER BY at DESC, place DESC LIMIT ${String(MAX_ENTRIES + 1)}`;
  const from = `FROM (${inner}) AS e`;
  const counted = await database.all(
    `SELECT e.class AS class, count(*) AS n, min(e.at) AS first_at, max(e.at) AS last_at,
      count(o.decision) AS reported, CAST(sum(coalesce(o.withdrawn, 0)) AS BIGINT) AS withdrawn
      ${from} LEFT JOIN ${OUTCOMES.name} AS o ON o.decision = e.place GROUP BY e.class`,
    values,
  );
  const groups = (columns: string): string =>
    `SELECT count(*) AS n, min(at) AS first_at, max(at) AS last_at, max(place) AS place ${from}
      WHERE ${columns.split(", ")[0] ?? ""} IS NOT NULL AND class IN (${decisionClasses(org).join(", ")})
      GROUP BY ${columns} ORDER BY max(at) DESC LIMIT ${String(MAX_NAMED)}`;
  const policies = await database.all(groups("policy, version"), values);
  const killSwitches = await database.all(groups("switch"), values);
  const entries = sum(counted, "n");
  return {
    entries: Math.min(entries, MAX_ENTRIES),
    complete: entries <= MAX_ENTRIES,
    firstAt: entries === 0 ? null : Math.min(...counted.map((row) => integer(row, "first_at"))),
    lastAt: entries === 0 ? null : Math.max(...counted.map((row) => integer(row, "last_at"))),
    ...countDecisions(org, counted),
    policies: policies.map(named),
    killSwitches: killSwitches.map(named),
  };
}

const WOULD_BE = [null, ...DECISIONS];

function decisionClasses(org: string): readonly number[] {
  return DECISIONS.flatMap((decision) => classesOf(org, decision));
}

function classesOf(org: string, decision: string): readonly number[] {
  return WOULD_BE.map((wouldBe) => nameDigest("class", org, className("decision", decision, wouldBe)));
}

function countDecisions(
  org: string,
  counted: readonly Row[],
): Pick<ReadSession, "decisions" | "withdrawn" | "withoutOutcome"> {
  const of = (decision: string): readonly Row[] => {
    const classes = classesOf(org, decision);
    return counted.filter((row) => classes.includes(integer(row, "class")));
  };
  const allowed = of("allow");
  return {
    decisions: { deny: sum(of("deny"), "n"), pause: sum(of("pause"), "n"), allow: sum(allowed, "n") },
    withdrawn: sum(counted, "withdrawn"),
    withoutOutcome: sum(allowed, "n") - sum(allowed, "reported"),
  };
}

function sum(rows: readonly Row[], column: string): number {
  return rows.reduce((total, row) => total + integer(row, column), 0);
}

function named(row: Row): NamedByPlace {
  return {
    decisions: integer(row, "n"),
    firstAt: integer(row, "first_at"),
    lastAt: integer(row, "last_at"),
    place: integer(row, "place"),
  };
}
