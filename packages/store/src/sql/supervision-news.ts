import { sql } from "kysely";
import type { SupervisionNews } from "../ports/supervision-store.ts";
import type { StoreContext } from "./store-context.ts";
import { sessionOf } from "./supervised-session.ts";
import type { SupervisedSessionsTable } from "./supervision-tables.ts";
import { nowMsOf } from "./write-sessions.ts";

type NewsRow = { readonly head: number; readonly now_ms: number } & (
  | SupervisedSessionsTable
  | { readonly version: null }
);

/**
 * One statement: what it finds committed before the clock was read. A cursor beyond the head comes from a
 * database that has lost changes since, so every session counts as changed then.
 */
export async function readNews(
  context: StoreContext,
  cursor: string | null,
  limit: number,
): Promise<SupervisionNews> {
  const after = cursor === null ? null : numberOf(cursor);
  const found = await ask(context, after, limit);
  if (after !== null && found.head < after) return readNews(context, "0", limit);
  const last = found.sessions.at(-1)?.version ?? after ?? found.head;
  const { nowMs, sessions, isMore } = found;
  return { nowMs, sessions, isMore, cursor: String(last) };
}

async function ask(context: StoreContext, after: number | null, limit: number) {
  const { rows } = await sql<NewsRow>`
    SELECT h.number AS head, ${nowMsOf(context)} AS now_ms, s.*
      FROM supervision_head AS h LEFT JOIN (
        SELECT * FROM supervised_sessions WHERE version > ${after ?? 0} AND ${after !== null ? 1 : 0} = 1
          ORDER BY version LIMIT ${limit + 1}
      ) AS s ON true ORDER BY s.version`.execute(context.db);
  const [first] = rows;
  if (first === undefined) throw new Error("supervision_head: expected one row, found none");
  const sessions = rows.flatMap((row) => (row.version === null ? [] : [sessionOf(row)]));
  return {
    head: first.head,
    nowMs: first.now_ms,
    sessions: sessions.slice(0, limit),
    isMore: sessions.length > limit,
  };
}

function numberOf(cursor: string): number {
  if (/^(?:0|[1-9][0-9]{0,15})$/.test(cursor)) return Number(cursor);
  throw new Error(`cursor of news: expected one that an answer gave, found ${JSON.stringify(cursor)}`);
}
