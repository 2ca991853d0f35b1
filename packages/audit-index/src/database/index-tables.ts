import type { NameSort } from "./name-digest.ts";

/**
 * Version of what the index holds. A database of another version is emptied and built again, so a change here
 * needs no migration.
 */
export const INDEX_VERSION = 5;

/** The columns of an entry that hold digests of names. */
export const DIGEST_COLUMNS = [
  "org",
  "class",
  "agent",
  "session",
  "tool",
  "namespace",
  "rule",
  "policy",
  "principal",
  "approval",
  "reason",
] as const satisfies readonly NameSort[];
export type DigestColumn = (typeof DIGEST_COLUMNS)[number];

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns that hold text; the others hold integers. */
  readonly texts: readonly string[];
}

/** One row for each row of the logs that an organization owns. */
export const ENTRIES: Table = {
  name: "audit_index_entries",
  columns: ["place", "at", ...DIGEST_COLUMNS, "version", "switch"],
  texts: [],
};

/** The first report about a decision, by the decision's place. */
export const OUTCOMES: Table = {
  name: "audit_index_outcomes",
  columns: ["decision", "outcome", "status", "withdrawn"],
  texts: ["status"],
};

/** The different reasons of an organization, for the search in texts. */
export const REASONS: Table = {
  name: "audit_index_reasons",
  columns: ["reason", "org", "folded"],
  texts: ["folded"],
};

/**
 * How often a policy decided in one way in one minute (`level` 0) or one hour (1). `pattern` says in which
 * way, `withdrawn` how many of these decisions nobody got, and `last_place` names one of them.
 */
export const COUNTS: Table = {
  name: "audit_index_counts",
  columns: ["policy", "level", "bucket", "pattern", "n", "withdrawn", "last_place"],
  texts: [],
};

/** The ways of `COUNTS` as JSON. */
export const PATTERNS: Table = {
  name: "audit_index_patterns",
  columns: ["pattern", "description"],
  texts: ["description"],
};

/** Which agents (`sort` 0) and sessions (1) a version of a policy decided for in a minute or an hour. */
export const ACTORS: Table = {
  name: "audit_index_actors",
  columns: ["policy", "level", "bucket", "version", "sort", "actor"],
  texts: [],
};

/** Each agent that called: when first and last, and the namespace of the latest call. */
export const AGENTS: Table = {
  name: "audit_index_agents",
  columns: ["org", "id", "agent", "namespace", "first_at", "last_at"],
  texts: ["org", "id", "namespace"],
};

/** How many calls of an agent used a tool, and the unix milliseconds of the first of them. */
export const TOOLS: Table = {
  name: "audit_index_tools",
  columns: ["agent", "tool", "n", "first_at"],
  texts: [],
};

/**
 * Calls of an agent in one minute (`level` 0) or one hour (1). `denied` includes those that were withdrawn.
 * `cost` is in micro-USD: what the allowed ones cost.
 */
export const CALLS: Table = {
  name: "audit_index_calls",
  columns: ["org", "level", "bucket", "agent", "n", "denied", "paused", "cost"],
  texts: [],
};

/** Each session of an agent that called, with its first and its latest call. */
export const SESSIONS: Table = {
  name: "audit_index_sessions",
  columns: ["agent", "session", "first_at", "last_at"],
  texts: [],
};

/** How far each log is indexed. `last_hash` is the hex hash of the last row that is. */
export const LOGS: Table = {
  name: "audit_index_logs",
  columns: ["log_number", "log_id", "next_seq", "last_hash", "last_at"],
  texts: ["log_id", "last_hash"],
};

/** The words of the schema that differ between the two databases. */
export interface IndexWording {
  readonly integer: string;
  readonly text: string;
  /** What an index lists behind the time. SQLite adds the place to every index by itself. */
  readonly behindTime: string;
}

export const SQLITE_WORDING: IndexWording = { integer: "INTEGER", text: "TEXT", behindTime: "" };
export const POSTGRES_WORDING: IndexWording = {
  integer: "BIGINT",
  text: 'TEXT COLLATE "C"',
  behindTime: ", place",
};

/** Every statement that makes an empty index. Each table is dropped before. */
export function schemaStatements(wording: IndexWording): readonly string[] {
  const { integer, text } = wording;
  const typeOf = (table: Table, column: string): string => (table.texts.includes(column) ? text : integer);
  const make = (table: Table, keys: readonly string[], required: readonly string[]): string[] => {
    const columns = table.columns.map(
      (column) => `${column} ${typeOf(table, column)}${required.includes(column) ? " NOT NULL" : ""}`,
    );
    const key = `PRIMARY KEY (${keys.join(", ")})`;
    return [
      `DROP TABLE IF EXISTS ${table.name}`,
      `CREATE TABLE ${table.name} (${columns.join(", ")}, ${key})`,
    ];
  };
  return [
    ...make(ENTRIES, ["place"], ["at", "org", "class"]),
    ...make(OUTCOMES, ["decision"], ["outcome", "status", "withdrawn"]),
    ...make(REASONS, ["reason"], ["org", "folded"]),
    ...make(COUNTS, ["policy", "level", "bucket", "pattern"], ["n", "withdrawn", "last_place"]),
    ...make(PATTERNS, ["pattern"], ["description"]),
    ...make(ACTORS, ACTORS.columns, []),
    ...make(AGENTS, ["org", "id"], ["agent", "namespace", "first_at", "last_at"]),
    ...make(TOOLS, ["agent", "tool"], ["n", "first_at"]),
    ...make(CALLS, ["org", "level", "bucket", "agent"], ["n", "denied", "paused", "cost"]),
    ...make(SESSIONS, ["agent", "session"], ["first_at", "last_at"]),
    ...make(LOGS, ["log_number"], ["log_id", "next_seq", "last_at"]),
    `CREATE UNIQUE INDEX audit_index_logs_by_id ON ${LOGS.name} (log_id)`,
    `CREATE INDEX audit_index_agents_by_digest ON ${AGENTS.name} (agent)`,
    `CREATE INDEX audit_index_calls_of_agent ON ${CALLS.name} (agent, level, bucket)`,
    `CREATE INDEX audit_index_sessions_by_time ON ${SESSIONS.name} (agent, last_at)`,
    `CREATE INDEX audit_index_reasons_of_org ON ${REASONS.name} (org)`,
    ...DIGEST_COLUMNS.map((column) => entryIndex(column, wording)),
  ];
}

/**
 * Each filter has an index in the order of the list, so that a page reads as many entries as it shows. The
 * index of all rows of an organization is over an expression: no planner takes it for another filter, where
 * it would read the whole organization to find a rare name.
 */
function entryIndex(column: DigestColumn, { behindTime }: IndexWording): string {
  const rest = `${orderColumn(column)}${behindTime}`;
  const rare = ["session", "rule", "policy", "approval", "reason"].includes(column);
  const where = rare ? ` WHERE ${column} IS NOT NULL` : "";
  return `CREATE INDEX audit_index_entries_by_${column} ON ${ENTRIES.name} (${column}, ${rest})${where}`;
}

/** How a query orders entries that it finds by a column, so that the index above serves it. */
export function orderColumn(column: DigestColumn): string {
  return column === "org" ? "(at + 0)" : "at";
}
