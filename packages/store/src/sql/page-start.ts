import { type SelectQueryBuilder, sql } from "kysely";
import type { Page, PageRequest } from "../ports/page.ts";

/** Where a page starts: after this sort key; `first` for the first page. A cursor names its list. */
export type PageStart<Key> = { readonly kind: "first" } | { readonly kind: "after"; readonly key: Key };

export function textStart(kind: string, request: PageRequest): PageStart<string> | "bad_cursor" {
  if (request.after === null) return { kind: "first" };
  const key = decodeCursor(kind, request.after);
  return key === null ? "bad_cursor" : { kind: "after", key };
}

export function numberStart(kind: string, request: PageRequest): PageStart<number> | "bad_cursor" {
  const start = textStart(kind, request);
  if (start === "bad_cursor" || start.kind === "first") return start;
  if (!/^[1-9][0-9]{0,15}$/.test(start.key)) return "bad_cursor";
  const key = Number(start.key);
  return Number.isSafeInteger(key) ? { kind: "after", key } : "bad_cursor";
}

/** Where the last item of a page stands in a list that begins with the newest time, then the larger id. */
export interface NewestKey {
  readonly atMs: number;
  readonly id: string;
}

const NEWEST_KEY = /^(?<time>0|[1-9][0-9]{0,15})\.(?<id>[A-Za-z0-9_-]{1,128})$/;

/** What `cutPage` writes into the cursor of such a list. */
export function newestKey({ atMs, id }: NewestKey): string {
  return `${String(atMs)}.${id}`;
}

export function newestStart(kind: string, request: PageRequest): PageStart<NewestKey> | "bad_cursor" {
  const start = textStart(kind, request);
  if (start === "bad_cursor" || start.kind === "first") return start;
  const { time, id } = NEWEST_KEY.exec(start.key)?.groups ?? {};
  if (time === undefined || id === undefined) return "bad_cursor";
  return { kind: "after", key: { atMs: Number(time), id } };
}

/** The order of a list by one column, whose values are unique in it. */
interface ListOrder<Row, Item> {
  /** Names the list in cursors: a cursor is valid for its own list only. */
  readonly kind: string;
  readonly column: string;
  /** `newest_first`: by a number that grows with each item. `by_id`: by a text, from the first. */
  readonly order: "newest_first" | "by_id";
  readonly key: (row: Row) => string | number;
  readonly item: (row: Row) => Item;
}

/** One page of what a query finds. */
export async function listPage<Database, Table extends keyof Database, Row, Item>(
  query: SelectQueryBuilder<Database, Table, Row>,
  page: PageRequest,
  { column, order, ...parts }: ListOrder<Row, Item>,
): Promise<Page<Item> | "bad_cursor"> {
  const [startOf, direction, past] =
    order === "by_id" ? ([textStart, "asc", ">"] as const) : ([numberStart, "desc", "<"] as const);
  const start = startOf(parts.kind, page);
  if (start === "bad_cursor") return start;
  const listed = query.orderBy(sql.ref(column), direction).limit(page.limit + 1);
  const found = start.kind === "first" ? listed : listed.where(sql.ref(column), past, start.key);
  return cutPage(await found.execute(), page.limit, parts);
}

/** Makes a page of what a query for `limit + 1` items found. */
export function cutPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  { kind, key, item }: { kind: string; key: (row: Row) => string | number; item: (row: Row) => Item },
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? encodeCursor(kind, String(key(last))) : null;
  return { items: shown.map((row) => item(row)), next };
}

function encodeCursor(kind: string, key: string): string {
  return Buffer.from(`${kind}:${key}`, "utf8").toString("base64url");
}

/** Null unless the text is exactly what `encodeCursor` writes for this kind. */
function decodeCursor(kind: string, text: string): string | null {
  const decoded = Buffer.from(text, "base64url").toString("utf8");
  const prefix = `${kind}:`;
  if (!decoded.startsWith(prefix) || decoded.includes("\0")) return null;
  const key = decoded.slice(prefix.length);
  return encodeCursor(kind, key) === text ? key : null;
}
