import { DECISIONS, type Decision } from "@svc/contract/verdict";
import { getOrAdd } from "@svc/process/get-or-add";
import { type IndexDatabase, integer, type Row } from "../database/index-database.ts";
import { ENTRIES, OUTCOMES } from "../database/index-tables.ts";
import { nameDigest } from "../database/name-digest.ts";
import { className } from "../fill/entry-of.ts";

/** Which calls of an agent are summed up. Times are Unix milliseconds; the second one is left out. */
export interface ActivityQuery {
  readonly org: string;
  readonly agentId: string;
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Calls of one tool, of one session or of one rule. */
export interface CallGroup {
  readonly decisions: Readonly<Record<Decision, number>>;
  /** How many of them nobody got: the gateway denied the call after the row was written. */
  readonly withdrawn: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** One of them. Its row has the name. */
  readonly place: number;
}

export interface NewestCall {
  readonly place: number;
  /** Its caller was denied after the row was written. */
  readonly withdrawn: boolean;
}

export interface ReadActivity {
  readonly total: Omit<CallGroup, "place"> | null;
  /** Those with most calls first. */
  readonly tools: readonly CallGroup[];
  readonly sessions: readonly CallGroup[];
  /** By decision, would-be decision and rule; without a rule by reason, because their causes differ. */
  readonly verdicts: readonly CallGroup[];
  /** The newest calls, newest first. */
  readonly newest: readonly NewestCall[];
  /** False: only the newest calls were looked at. */
  readonly complete: boolean;
}

/** Rows that one question looks at, as count: the newest ones, some tenths of a second of its thread. */
const MAX_ROWS = 50_000;

/** Calls whose rows are read for their arguments, as count: the newest ones. */
const MAX_READ_CALLS = 5_000;

/** Tells a kill switch from a limit of the session: neither is a rule. */
const CAUSE = "CASE WHEN e.rule IS NULL THEN e.reason END";

/** Sums up the calls of one agent in a time. */
export async function readActivity(
  database: IndexDatabase,
  { org, agentId, sinceMs, untilMs }: ActivityQuery,
): Promise<ReadActivity> {
  const values = [nameDigest("agent", org, agentId), sinceMs, untilMs];
  const isCall = `class IN (${[...decisionsByClass(org).keys()].join(", ")})`;
  const chosen = (columns: string, limit: number): string => `SELECT ${columns} FROM ${ENTRIES.name}
    WHERE agent = ?1 AND at >= ?2 AND at < ?3 AND ${isCall}
    ORDER BY at DESC, place DESC LIMIT ${String(limit)}`;
  const rows = await database.all(
    `SELECT e.tool AS tool, e.session AS session, e.class AS class, e.rule AS rule,
        ${CAUSE} AS cause, count(*) AS n,
        count(CASE WHEN o.withdrawn = 1 THEN 1 END) AS withdrawn,
        min(e.at) AS first_at, max(e.at) AS last_at, max(e.place) AS place
      FROM (${chosen("place, at, class, tool, session, rule, reason", MAX_ROWS + 1)}) AS e
      LEFT JOIN ${OUTCOMES.name} AS o ON o.decision = e.place
      GROUP BY e.tool, e.session, e.class, e.rule, ${CAUSE}`,
    values,
  );
  const newest = await database.all(
    `SELECT e.place AS place, coalesce(o.withdrawn, 0) AS withdrawn
      FROM (${chosen("place, at", MAX_READ_CALLS)}) AS e
      LEFT JOIN ${OUTCOMES.name} AS o ON o.decision = e.place ORDER BY e.at DESC, e.place DESC`,
    values,
  );
  const parts = rows.map((row) => partOf(row, decisionsByClass(org)));
  const groups = (keyOf: (row: Row) => string): readonly CallGroup[] => {
    const found = new Map<string, CallGroup[]>();
    for (const [at, row] of rows.entries()) {
      const part = parts[at];
      if (part !== undefined) getOrAdd(found, keyOf(row), (): CallGroup[] => []).push(part);
    }
    return [...found.values()].map(sumOf).toSorted((one, other) => callsOf(other) - callsOf(one));
  };
  const looked = parts.reduce((sum, part) => sum + callsOf(part), 0);
  return {
    total: parts.length === 0 ? null : sumOf(parts),
    tools: groups(({ tool }) => String(tool)),
    sessions: groups(({ session }) => String(session)),
    verdicts: groups((row) => ["class", "rule", "cause"].map((name) => String(row[name])).join(" ")),
    newest: newest.map((row) => ({
      place: integer(row, "place"),
      withdrawn: integer(row, "withdrawn") === 1,
    })),
    complete: looked <= MAX_ROWS,
  };
}

export function callsOf({ decisions: { deny, pause, allow } }: Pick<CallGroup, "decisions">): number {
  return deny + pause + allow;
}

/** The decision of each class of the organization. */
function decisionsByClass(org: string): ReadonlyMap<number, Decision> {
  return new Map(
    DECISIONS.flatMap((decision) =>
      [null, ...DECISIONS].map((wouldBe) => [
        nameDigest("class", org, className("decision", decision, wouldBe)),
        decision,
      ]),
    ),
  );
}

function partOf(row: Row, byClass: ReadonlyMap<number, Decision>): CallGroup {
  const decision = byClass.get(integer(row, "class")) ?? "deny";
  return {
    decisions: { deny: 0, pause: 0, allow: 0, [decision]: integer(row, "n") },
    withdrawn: integer(row, "withdrawn"),
    firstAt: integer(row, "first_at"),
    lastAt: integer(row, "last_at"),
    place: integer(row, "place"),
  };
}

function sumOf(parts: readonly CallGroup[]): CallGroup {
  const total = (value: (part: CallGroup) => number): number =>
    parts.reduce((sum, part) => sum + value(part), 0);
  const newest = parts.reduce((one, other) => (other.lastAt > one.lastAt ? other : one));
  return {
    decisions: {
      deny: total(({ decisions }) => decisions.deny),
      pause: total(({ decisions }) => decisions.pause),
      allow: total(({ decisions }) => decisions.allow),
    },
    withdrawn: total(({ withdrawn }) => withdrawn),
    firstAt: parts.reduce((first, part) => Math.min(first, part.firstAt), newest.firstAt),
    lastAt: newest.lastAt,
    place: newest.place,
  };
}
