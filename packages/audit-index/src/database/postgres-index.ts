import { type Client, type ClientBase, DatabaseError, type Pool } from "pg";
import {
  type IndexDatabase,
  type Row,
  UnreadyIndexError,
  type Value,
  type WritableIndexDatabase,
} from "./index-database.ts";
import { INDEX_VERSION, POSTGRES_WORDING, schemaStatements, type Table } from "./index-tables.ts";

/**
 * Settings of a session that asks. Every page is read from one index in its order, so that a page of a long
 * list costs as much as one of a short list; these keep the planner from reading a whole list and sorting it.
 */
export const QUERY_SETTINGS = "-c enable_bitmapscan=off -c enable_seqscan=off -c jit=off";

/** PostgreSQL's code for a table that does not exist. */
const UNDEFINED_TABLE = "42P01";

const VERSION_TABLE = "audit_index_version";

/** The index in PostgreSQL, over connections that the caller opened and closes. */
export function postgresIndex(connection: Pick<Pool | ClientBase, "query">): IndexDatabase {
  return {
    position: "strpos",
    all: async (text, values = []) => {
      try {
        return (await connection.query<Row>(numbered(text), [...values])).rows;
      } catch (error) {
        const isMissing = error instanceof DatabaseError && error.code === UNDEFINED_TABLE;
        throw isMissing
          ? new UnreadyIndexError("the audit index is being made; ask again in a moment")
          : error;
      }
    },
  };
}

/** The index for its projector, which holds the lock on this connection. */
export function writablePostgresIndex(client: Client): WritableIndexDatabase {
  const transaction: WritableIndexDatabase["transaction"] = async (work) => {
    await client.query("BEGIN");
    try {
      await work();
      await client.query("COMMIT");
    } catch (error) {
      await client.query("ROLLBACK");
      throw error;
    }
  };
  return {
    ...postgresIndex(client),
    transaction,
    insert: async (table, rows, onConflict) => {
      if (rows.length === 0) return;
      await client.query(insertText(table, onConflict), columnsOf(table, rows));
    },
    scrub: async () => Promise.resolve(),
    reset: async () => transaction(async () => makeTables(client)),
    close: async () => client.end(),
  };
}

/** Makes the tables unless they are there in this version. The caller holds the projector's lock. */
export async function preparePostgresIndex(database: WritableIndexDatabase, client: Client): Promise<void> {
  const { rows } = await client.query<{ found: string | null }>(`SELECT to_regclass($1)::text AS found`, [
    VERSION_TABLE,
  ]);
  if (rows[0]?.found !== null) {
    const [row] = (await client.query<{ version: number }>(`SELECT version FROM ${VERSION_TABLE}`)).rows;
    if (row?.version === INDEX_VERSION) return;
  }
  await database.reset();
}

async function makeTables(client: Client): Promise<void> {
  const statements = [
    ...schemaStatements(POSTGRES_WORDING),
    `DROP TABLE IF EXISTS ${VERSION_TABLE}`,
    `CREATE TABLE ${VERSION_TABLE} (version INTEGER NOT NULL)`,
    `INSERT INTO ${VERSION_TABLE} VALUES (${String(INDEX_VERSION)})`,
  ];
  for (const statement of statements) await client.query(statement);
}

/** One statement for any number of rows: an array for each column. */
function insertText({ name, columns, texts }: Table, onConflict: string): string {
  const arrays = columns.map(
    (column, index) => `$${String(index + 1)}::${texts.includes(column) ? "text" : "bigint"}[]`,
  );
  const names = columns.join(", ");
  return `INSERT INTO ${name} (${names}) SELECT * FROM unnest(${arrays.join(", ")}) ${onConflict}`;
}

function columnsOf({ columns }: Table, rows: readonly (readonly Value[])[]): Value[][] {
  return columns.map((_, index) => rows.map((row) => row[index] ?? null));
}

/** `?1` is how the shared statements name a parameter, `$1` is PostgreSQL's way. */
function numbered(text: string): string {
  return text.replaceAll(/\?(\d+)/g, "$$$1");
}
