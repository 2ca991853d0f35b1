import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import { parseJson } from "@svc/text/parse-json";
import { type Kysely, type RawBuilder, type Selectable, sql } from "kysely";
import type { ControlChange, ControlSnapshot } from "../ports/control-change.ts";
import { agentChange, parseAgent } from "./agent-rows.ts";
import { parseStoredKey } from "./key-rows.ts";
import { assignmentRecord } from "./policy-binding.ts";
import type { PolicyAssignmentsTable } from "./policy-tables.ts";
import type { Dialect } from "./store-context.ts";
import { severityChange } from "./supervised-session.ts";
import type { SupervisedSessionsTable } from "./supervision-tables.ts";
import type { Tables } from "./tables.ts";

/**
 * Rows that are read at once, as counts. A page takes milliseconds, so no statement reaches its deadline, and
 * the serving thread does other work between two pages, however much control state there is.
 */
const POLICIES_PER_PAGE = 100;
const RECORDS_PER_PAGE = 1_000;

interface PolicyRow {
  readonly org: string;
  readonly id: string;
  readonly version: number;
  readonly enabled: number;
  /** With its guardrails, where it names any. */
  readonly source: string;
  /** The same document as JSON. */
  readonly json: string;
}

interface RecordRow {
  readonly org: string;
  /** What the pages are ordered by. */
  readonly key: string;
  readonly record: string;
}

/**
 * Some rows of control state as they are stored: strings and numbers, which are handed to another thread in
 * a fraction of the time that objects take.
 */
export type SnapshotPage =
  | { readonly kind: "policy"; readonly rows: readonly PolicyRow[] }
  | { readonly kind: "assignment"; readonly rows: readonly Selectable<PolicyAssignmentsTable>[] }
  | { readonly kind: "kill_switch"; readonly rows: readonly RecordRow[] }
  | { readonly kind: "key"; readonly rows: readonly RecordRow[] }
  | { readonly kind: "severity"; readonly rows: readonly SeverityRow[] }
  | { readonly kind: "agent"; readonly rows: readonly RecordRow[] };

type SeverityRow = Pick<
  SupervisedSessionsTable,
  "org" | "agent_id" | "session_id" | "severity" | "severity_since_ms" | "reason"
>;

/** What the rows of a page say, for a snapshot. */
export function changesOf(page: SnapshotPage): ControlSnapshot["changes"] {
  switch (page.kind) {
    case "policy":
      return page.rows.map(({ org, id: policyId, version, enabled, source, json }) => {
        const change = { kind: "policy", policyId, version, enabled: enabled === 1, source, json } as const;
        return { org, change };
      });
    case "assignment":
      return page.rows.map((row) => {
        const change = { kind: "assignment", record: assignmentRecord(row), removed: false } as const;
        return { org: row.org, change };
      });
    case "kill_switch":
      return page.rows.map(({ org, record }) => {
        const change: ControlChange = { kind: "kill_switch", record: parseJson(record) as KillSwitchRecord };
        return { org, change };
      });
    case "key":
      return page.rows.map(({ org, record }) => ({
        org,
        change: { kind: "key", key: parseStoredKey(record) },
      }));
    case "severity":
      return page.rows.map((row) => ({ org: row.org, change: severityChange(row) }));
    case "agent":
      return page.rows.map(({ org, record }) => ({ org, change: agentChange(parseAgent(record), false) }));
  }
}

/** All control state, page after page. `db` is inside a transaction, which holds the pages to one moment. */
export async function* readSnapshotPages(db: Kysely<Tables>, dialect: Dialect): AsyncGenerator<SnapshotPage> {
  for await (const rows of policyPages(db, dialect)) yield { kind: "policy", rows };
  for await (const rows of assignmentPages(db)) yield { kind: "assignment", rows };
  for await (const rows of switchPages(db)) yield { kind: "kill_switch", rows };
  for await (const rows of keyPages(db)) yield { kind: "key", rows };
  for await (const rows of severityPages(db)) yield { kind: "severity", rows };
  for await (const rows of agentPages(db)) yield { kind: "agent", rows };
}

async function* pages<Row>(
  perPage: number,
  read: (after: Row | null) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let after: Row | null = null; ; ) {
    const rows: readonly Row[] = await read(after);
    if (rows.length > 0) yield rows;
    if (rows.length < perPage) return;
    after = rows.at(-1) ?? null;
  }
}

function policyPages(db: Kysely<Tables>, dialect: Dialect): AsyncGenerator<readonly PolicyRow[]> {
  const query = db
    .selectFrom("policies as p")
    .innerJoin("policy_versions as v", (join) =>
      join
        .onRef("v.org", "=", "p.org")
        .onRef("v.id", "=", "p.id")
        .onRef("v.version", "=", "p.latest_version"),
    )
    .select(["p.org", "p.id", "v.version", "p.enabled"])
    .select(sql<string>`coalesce(v.sealed, v.source)`.as("source"))
    .select(sql<string>`coalesce(v.sealed, ${documentAsJson(dialect)})`.as("json"))
    .orderBy("p.org")
    .orderBy("p.id")
    .limit(POLICIES_PER_PAGE);
  return pages<PolicyRow>(POLICIES_PER_PAGE, async (after) =>
    (after === null
      ? query
      : query.where((eb) => eb(eb.refTuple("p.org", "p.id"), ">", eb.tuple(after.org, after.id)))
    ).execute(),
  );
}

/** The document inside the stored record, cut out by the database. */
function documentAsJson(dialect: Dialect): RawBuilder<string> {
  return dialect === "sqlite"
    ? sql<string>`v.record -> '$.document'`
    : sql<string>`(v.record::json -> 'document')::text`;
}

function assignmentPages(db: Kysely<Tables>): AsyncGenerator<readonly Selectable<PolicyAssignmentsTable>[]> {
  const query = db
    .selectFrom("policy_assignments")
    .selectAll()
    .orderBy("org")
    .orderBy("id")
    .limit(RECORDS_PER_PAGE);
  return pages<Selectable<PolicyAssignmentsTable>>(RECORDS_PER_PAGE, async (after) =>
    (after === null
      ? query
      : query.where((eb) => eb(eb.refTuple("org", "id"), ">", eb.tuple(after.org, after.id)))
    ).execute(),
  );
}

/** By target, because an index over active switches has this order. */
function switchPages(db: Kysely<Tables>): AsyncGenerator<readonly RecordRow[]> {
  const query = db
    .selectFrom("kill_switches")
    .select(["org", "target as key", "record"])
    .where("status", "=", "active")
    .orderBy("org")
    .orderBy("target")
    .limit(RECORDS_PER_PAGE);
  return pages<RecordRow>(RECORDS_PER_PAGE, async (after) =>
    (after === null
      ? query
      : query.where((eb) => eb(eb.refTuple("org", "target"), ">", eb.tuple(after.org, after.key)))
    ).execute(),
  );
}

function agentPages(db: Kysely<Tables>): AsyncGenerator<readonly RecordRow[]> {
  const query = db
    .selectFrom("agents")
    .select(["org", "id as key", "record"])
    .orderBy("org")
    .orderBy("id")
    .limit(RECORDS_PER_PAGE);
  return pages<RecordRow>(RECORDS_PER_PAGE, async (after) =>
    (after === null
      ? query
      : query.where((eb) => eb(eb.refTuple("org", "id"), ">", eb.tuple(after.org, after.key)))
    ).execute(),
  );
}

function keyPages(db: Kysely<Tables>): AsyncGenerator<readonly RecordRow[]> {
  const query = db
    .selectFrom("keys")
    .select(["org", "id as key", "record"])
    .where("status", "=", "active")
    .orderBy("id")
    .limit(RECORDS_PER_PAGE);
  return pages<RecordRow>(RECORDS_PER_PAGE, async (after) =>
    (after === null ? query : query.where("id", ">", after.key)).execute(),
  );
}

/** An index over sessions above INFO has this order. */
function severityPages(db: Kysely<Tables>): AsyncGenerator<readonly SeverityRow[]> {
  const query = db
    .selectFrom("supervised_sessions")
    .select(["org", "agent_id", "session_id", "severity", "severity_since_ms", "reason"])
    .where("severity", "<>", sql.lit("INFO"))
    .orderBy("org")
    .orderBy("agent_id")
    .orderBy("session_id")
    .limit(RECORDS_PER_PAGE);
  return pages<SeverityRow>(RECORDS_PER_PAGE, async (after) =>
    (after === null
      ? query
      : query.where((eb) =>
          eb(
            eb.refTuple("org", "agent_id", "session_id"),
            ">",
            eb.tuple(after.org, after.agent_id, after.session_id),
          ),
        )
    ).execute(),
  );
}
