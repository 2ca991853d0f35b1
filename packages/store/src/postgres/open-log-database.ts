import { Kysely, PostgresDialect } from "kysely";
import type { LogReader } from "../ports/log-reader.ts";
import { createLogReader } from "../sql/create-log-reader.ts";
import type { Tables } from "../sql/tables.ts";
import { openKyselyPool } from "./primary-pool.ts";
import { PrimaryServer } from "./primary-server.ts";

/**
 * Opens the logs of a PostgreSQL database. Every transaction is read-only, and the user
 * needs nothing but SELECT.
 * @throws when it cannot be reached or is not a database of ours.
 */
export async function openLogDatabase(url: string): Promise<LogReader> {
  const pool = openKyselyPool(new PrimaryServer(url), { max: 1, access: "read" });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const close = async (): Promise<void> => db.destroy();
  try {
    return await createLogReader({ db, dialect: "postgres" }, close);
  } catch (error) {
    await close();
    throw error;
  }
}
