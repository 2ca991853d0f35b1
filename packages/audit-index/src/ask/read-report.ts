import { parseJson } from "@svc/text/parse-json";
import type { PolicyReportQuery, ReportedPattern, ReportedVersion } from "../audit-answers.ts";
import { type IndexDatabase, integer, type Row, textOf } from "../database/index-database.ts";
import { ACTORS, COUNTS, PATTERNS } from "../database/index-tables.ts";
import { nameDigest } from "../database/name-digest.ts";
import { AGENT, SESSION } from "../fill/report-tally.ts";
import { type BucketRange, bucketRanges } from "./bucket-ranges.ts";
import type { DecisionPattern } from "./decision-pattern.ts";

/** Agents and sessions that are counted one by one, as count over minutes and hours. */
const MAX_ACTORS_READ = 100_000;

/** Different patterns of one report, as count. */
const MAX_PATTERNS = 5_000;

/** What the buckets of a policy hold, before the rows of examples are named. */
export interface ReadReport {
  readonly patterns: readonly (Omit<ReportedPattern, "examples"> & { readonly places: readonly number[] })[];
  readonly versions: readonly ReportedVersion[];
  readonly agents: number | null;
  readonly sessions: number | null;
}

/** Reads whole hours where it can, and minutes at both ends. `sinceMs` and `untilMs` are whole minutes. */
export async function readReport(database: IndexDatabase, query: PolicyReportQuery): Promise<ReadReport> {
  const policy = nameDigest("policy", query.org, query.policyId);
  const ranges = bucketRanges(query);
  const found = new Map<number, { count: number; withdrawn: number; places: Set<number> }>();
  for (const range of ranges)
    for (const row of await database.all(COUNT_TEXT, rangeOf(policy, range))) {
      const pattern = integer(row, "pattern");
      const known = found.get(pattern) ?? { count: 0, withdrawn: 0, places: new Set() };
      known.count += integer(row, "n");
      known.withdrawn += integer(row, "withdrawn");
      known.places.add(integer(row, "last_place"));
      found.set(pattern, known);
    }
  if (found.size > MAX_PATTERNS)
    throw new RangeError(`expected at most ${String(MAX_PATTERNS)} ways in which the policy decided`);
  const described = await describe(database, [...found.keys()]);
  const patterns = [...found].map(([pattern, { places, ...counts }]) => ({
    ...(described.get(pattern) ?? UNKNOWN),
    ...counts,
    places: [...places],
  }));
  return { patterns, ...(await readActors(database, policy, ranges)) };
}

/** A pattern that was counted is described in the same transaction, so this shows nowhere. */
const UNKNOWN: DecisionPattern = {
  version: null,
  mode: null,
  decision: "",
  would_be: null,
  rule_id: null,
  would_be_rule_id: null,
  tool: null,
};

/** Three groups of buckets, so that up to three examples come with the sums. */
const COUNT_TEXT = `SELECT pattern, CAST(sum(n) AS BIGINT) AS n,
    CAST(sum(withdrawn) AS BIGINT) AS withdrawn, max(last_place) AS last_place
  FROM ${COUNTS.name} WHERE policy = ?1 AND level = ?2 AND bucket >= ?3 AND bucket < ?4
  GROUP BY pattern, bucket % 3`;

const ACTOR_TEXT = `SELECT DISTINCT version, sort, actor FROM ${ACTORS.name}
  WHERE policy = ?1 AND level = ?2 AND bucket >= ?3 AND bucket < ?4 LIMIT ${String(MAX_ACTORS_READ + 1)}`;

function rangeOf(policy: number, { level, from, end }: BucketRange): number[] {
  return [policy, level, from, end];
}

async function describe(
  database: IndexDatabase,
  patterns: readonly number[],
): Promise<ReadonlyMap<number, DecisionPattern>> {
  const described = new Map<number, DecisionPattern>();
  for (const pattern of patterns) {
    const [row] = await database.all(`SELECT description FROM ${PATTERNS.name} WHERE pattern = ?1`, [
      pattern,
    ]);
    // Only the projector writes here, and it writes what it typed as a pattern.
    if (row !== undefined) described.set(pattern, parseJson(textOf(row, "description")) as DecisionPattern);
  }
  return described;
}

async function readActors(
  database: IndexDatabase,
  policy: number,
  ranges: readonly BucketRange[],
): Promise<Pick<ReadReport, "versions" | "agents" | "sessions">> {
  const rows: Row[] = [];
  for (const range of ranges) rows.push(...(await database.all(ACTOR_TEXT, rangeOf(policy, range))));
  const isCut = rows.length > MAX_ACTORS_READ;
  const actors = rows.map((row) => ({
    version: integer(row, "version"),
    sort: integer(row, "sort"),
    actor: integer(row, "actor"),
  }));
  const count = (sort: number, version: number | null): number | null => {
    const chosen = actors.filter((one) => one.sort === sort && (version === null || one.version === version));
    return isCut ? null : new Set(chosen.map(({ actor }) => actor)).size;
  };
  const versions = [...new Set(actors.map(({ version }) => version))].map((version) => ({
    version,
    agents: count(AGENT, version),
    sessions: count(SESSION, version),
  }));
  return { versions, agents: count(AGENT, null), sessions: count(SESSION, null) };
}
