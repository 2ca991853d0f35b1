import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openPostgresStore } from "@svc/store/open-postgres-store";
import { openSqliteStore } from "@svc/store/open-sqlite-store";
import { Client } from "pg";
import { benchmarkPolicy } from "./benchmark-policy.ts";
import { benchmarkSwitch } from "./benchmark-switch.ts";

/** Rows that are written at once, as count. */
const BATCH = 1_000;

const TIME = "2026-11-01T00:00:00.000Z";
const WRITTEN = { created_at: TIME, created_by: "bench" };

export interface ControlSize {
  readonly killSwitches: number;
  readonly policies: number;
  /** Of each policy. */
  readonly rules: number;
}

type Row = Readonly<Record<string, string | number | null>>;

/** A database full of control state, and a way to make its gateways need all of it again. */
export interface SeededDatabase {
  /** Announces an event behind one that is missing. Every gateway that reads it loads a snapshot. */
  skipRevision(): Promise<void>;
  close(): Promise<void>;
}

/** Fills a new embedded database. */
export async function seedSqlite(dataDir: string, size: ControlSize): Promise<SeededDatabase> {
  const store = await openSqliteStore({ dataDir, logId: "seed" });
  await store.close();
  const database = new DatabaseSync(join(dataDir, "svc.db"), { timeout: 10_000 });
  database.exec("BEGIN");
  const insert = (table: string, row: Row): void => {
    const columns = Object.keys(row);
    const places = columns.map(() => "?").join(", ");
    database
      .prepare(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`)
      .run(...Object.values(row));
  };
  for (const [table, rows] of seedRows(size)) for (const row of rows) insert(table, row);
  database.exec(`UPDATE control_head SET revision = ${size.killSwitches}`);
  database.exec("COMMIT");
  return {
    skipRevision: () => {
      database.exec("BEGIN IMMEDIATE");
      database.exec("UPDATE control_head SET revision = revision + 2");
      database
        .prepare("INSERT INTO control_events SELECT revision, 'default', 'kill_switch', ? FROM control_head")
        .run(laterChange());
      database.exec("COMMIT");
      return Promise.resolve();
    },
    close: () => Promise.resolve(database.close()),
  };
}

/** Fills a new database of a PostgreSQL server. */
export async function seedPostgres(url: string, size: ControlSize): Promise<SeededDatabase> {
  const store = await openPostgresStore({ url, logId: "seed" });
  await store.close();
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const [table, rows] of seedRows(size)) {
    for (const batch of batches(rows)) {
      const text = `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`;
      await client.query(text, [JSON.stringify(batch)]);
    }
  }
  await client.query(`UPDATE control_head SET revision = ${size.killSwitches}`);
  await client.query("ANALYZE");
  return {
    skipRevision: async () => {
      await client.query(
        `WITH head AS (UPDATE control_head SET revision = revision + 2 RETURNING revision),
          event AS (
            INSERT INTO control_events SELECT revision, 'default', 'kill_switch', $1 FROM head
              RETURNING revision
          )
          SELECT pg_notify('svc:control_changed', revision::text) FROM event`,
        [laterChange()],
      );
    },
    close: () => client.end(),
  };
}

function* batches(rows: Iterable<Row>): Generator<readonly Row[]> {
  let batch: Row[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

function* many(count: number, make: (at: number) => Row): Generator<Row> {
  for (let at = 0; at < count; at += 1) yield make(at);
}

function seedRows({
  killSwitches,
  policies,
  rules,
}: ControlSize): readonly (readonly [string, Iterable<Row>])[] {
  return [
    ["policies", many(policies, policyRow)],
    ["policy_versions", many(policies, (at) => versionRow(at, rules))],
    ["policy_assignments", many(policies, assignmentRow)],
    ["kill_switches", many(killSwitches, switchRow)],
  ];
}

function policyRow(at: number): Row {
  const id = policyId(at);
  const listed = { labels: "{}", mode: "enforcement", search_text: `${id}\nbenchmark` };
  return { org: "default", id, latest_version: 1, enabled: 1, archived: 0, ...listed };
}

function versionRow(at: number, walkedRules: number): Row {
  const id = policyId(at);
  const source = benchmarkPolicy({ id, agentId: agentId(at), walkedRules });
  const document = JSON.parse(source) as object;
  const item = { id, version: 1, enabled: true, name: "Benchmark", rolled_back_to: null, ...WRITTEN };
  const record = JSON.stringify({ ...item, document });
  const text = { record, source, media_type: "application/json", item: JSON.stringify(item) };
  return { org: "default", id, version: 1, ...text };
}

function assignmentRow(at: number): Row {
  const bound = { policy_id: policyId(at), agent_id: agentId(at), namespace_id: null };
  return { org: "default", id: `assignment-${at}`, ...bound, origin: "document", ...WRITTEN };
}

function switchRow(at: number): Row {
  const record = benchmarkSwitch(at);
  const { kill_switch_id: id, scope, target_id, status } = record;
  const target = `${scope}:${target_id ?? ""}`;
  return { org: "default", id, target, status, revision: at + 1, record: JSON.stringify(record) };
}

function policyId(at: number): string {
  return `policy-${at}`;
}

function agentId(at: number): string {
  return `agent-${at}`;
}

/** The end of a switch that nobody knows changes nothing. */
function laterChange(): string {
  const record = {
    ...benchmarkSwitch(0),
    kill_switch_id: "ks_unknown",
    target_id: "nobody",
    status: "inactive",
  };
  return JSON.stringify({ kind: "kill_switch", record });
}
