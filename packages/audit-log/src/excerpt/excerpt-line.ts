import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { parseJsonObject } from "../parse-json-object.ts";
import { filterObject, isNoFilter, NO_FILTER, parseFilter, type RowFilter } from "./row-filter.ts";

/** Name and version of the format; a reader must refuse others. */
export const EXCERPT_FORMAT = "svc-audit-excerpt/1";

/** One row of the organization. Its hash is not in it: see Excerpt. */
export interface ExcerptRow {
  readonly logId: string;
  readonly seq: number;
  readonly bytes: Uint8Array;
}

/** How many lines of each kind an excerpt has. Says whether it is complete, not whether it is genuine. */
export interface ExcerptCounts {
  readonly rows: number;
  readonly excerpts: number;
}

/**
 * One line of an excerpt (NDJSON). The header comes first and `end` last. In between stand the rows of each
 * log, ascending, and after them the signed statement about this log.
 */
export type ExcerptLine =
  | { readonly kind: "header"; readonly org: string; readonly filter: RowFilter }
  | { readonly kind: "row"; readonly row: ExcerptRow }
  | { readonly kind: "excerpt"; readonly logId: string; readonly note: string }
  | { readonly kind: "end"; readonly counts: ExcerptCounts };

/** The line's text, newline included. */
export function renderExcerptLine(line: ExcerptLine): string {
  return `${JSON.stringify(rawLine(line))}\n`;
}

/** Reads one line with its newline; null unless it is byte for byte what `renderExcerptLine` writes. */
export function parseExcerptLine(text: string): ExcerptLine | null {
  const raw = parseJsonObject(text);
  const line = raw === null ? null : lineOf(raw);
  return line !== null && renderExcerptLine(line) === text ? line : null;
}

function rawLine(line: ExcerptLine): JsonObject {
  switch (line.kind) {
    case "header":
      return isNoFilter(line.filter)
        ? { format: EXCERPT_FORMAT, org: line.org }
        : { format: EXCERPT_FORMAT, org: line.org, filter: filterObject(line.filter) };
    case "row": {
      const { logId, seq, bytes } = line.row;
      // Bytes that are not UTF-8 come out changed. Their digest then differs.
      return { log_id: logId, seq, row: Buffer.from(bytes).toString() };
    }
    case "excerpt":
      return { log_id: line.logId, excerpt: line.note };
    case "end":
      return { end: { rows: line.counts.rows, excerpts: line.counts.excerpts } };
  }
}

function lineOf(raw: JsonObject): ExcerptLine | null {
  const { format, org, log_id: logId, seq, row, excerpt, end } = raw;
  if (format === EXCERPT_FORMAT && typeof org === "string") {
    const filter = raw["filter"] === undefined ? NO_FILTER : parseFilter(raw["filter"]);
    return filter === null ? null : { kind: "header", org, filter };
  }
  if (typeof logId === "string" && typeof row === "string" && isCount(seq) && row.isWellFormed())
    return { kind: "row", row: { logId, seq, bytes: Buffer.from(row) } };
  if (typeof logId === "string" && typeof excerpt === "string")
    return { kind: "excerpt", logId, note: excerpt };
  if (typeof end !== "object" || end === null) return null;
  const { rows, excerpts } = end as JsonObject;
  return isCount(rows) && isCount(excerpts) ? { kind: "end", counts: { rows, excerpts } } : null;
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
