import { Client } from "pg";
import type { Records, StoredEvent, StoredRow } from "./judge/trace.ts";

/** Rows that are read at once: 5 MiB at the usual size of a row. */
const PAGE = 5_000;

/** Reads what the judge needs from the database itself, without the product. */
export async function readRecords(databaseUrl: string): Promise<Records> {
  const { searchParams, pathname, username } = new URL(databaseUrl);
  const client = new Client({
    host: searchParams.get("host") ?? "",
    port: Number(searchParams.get("port")),
    user: username,
    database: pathname.slice(1),
  });
  await client.connect();
  try {
    const heads = await client.query<{ log_id: string; size: string; hash: string }>(
      "SELECT log_id, size, encode(head_hash, 'hex') AS hash FROM audit_logs ORDER BY log_id",
    );
    const rows: StoredRow[] = [];
    for (const { log_id: logId, size } of heads.rows)
      rows.push(...(await readLog(client, logId, Number(size))));
    return {
      rows,
      heads: heads.rows.map(({ log_id, size, hash }) => ({ logId: log_id, size: Number(size), hash })),
      events: await readEvents(client),
    };
  } finally {
    await client.end();
  }
}

interface RowOfTable {
  readonly seq: string;
  readonly prev_hash: string;
  readonly hash: string;
  readonly text: string;
}

async function readLog(client: Client, logId: string, size: number): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  // One page more than the head says, so that rows past the head are seen.
  for (let from = 0; from <= size; from += PAGE) {
    const page = await client.query<RowOfTable>(
      `SELECT seq, encode(prev_hash, 'hex') AS prev_hash, encode(hash, 'hex') AS hash,
        convert_from(bytes, 'UTF8') AS text
      FROM audit_rows WHERE log_id = $1 AND seq >= $2 AND seq < $3 ORDER BY seq`,
      [logId, from, from + PAGE],
    );
    for (const { seq, prev_hash: prevHash, hash, text } of page.rows)
      rows.push({ logId, seq: Number(seq), prevHash, hash, text });
  }
  return rows;
}

async function readEvents(client: Client): Promise<StoredEvent[]> {
  const { rows } = await client.query<{ revision: string; kind: string; change: string }>(
    "SELECT revision, kind, change FROM control_events ORDER BY revision",
  );
  return rows.map(({ revision, kind, change }) => {
    const { record } = JSON.parse(change) as { record?: { kill_switch_id?: string; status?: string } };
    const activates = kind === "kill_switch" && record?.status === "active" ? record.kill_switch_id : null;
    return { revision: Number(revision), kind, activates: activates ?? null };
  });
}
