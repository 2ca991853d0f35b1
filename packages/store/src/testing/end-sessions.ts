import { Client } from "pg";

/**
 * Ends every other session of one database, wherever it stands in a transaction. Sessions of other databases
 * go on: files that run at the same time share the server.
 */
export async function endSessions(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  } finally {
    await client.end();
  }
}
