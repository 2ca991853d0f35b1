import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { isJsonObject } from "@svc/text/json-value";
import type { ReadableRow } from "../parse-row-text.ts";

/** What the reader of an excerpt asked for. A row belongs to the excerpt when it fits every member. */
export interface RowFilter {
  readonly agentId?: string;
  readonly kind?: string;
  readonly logId?: string;
  /** RFC 3339 UTC with milliseconds: rows of this time and later. */
  readonly since?: string;
  /** RFC 3339 UTC with milliseconds: rows before this time. */
  readonly until?: string;
}

/** The filter that every row fits. */
export const NO_FILTER: RowFilter = {};

const NAMES = {
  agentId: "agent_id",
  kind: "kind",
  logId: "log_id",
  since: "since",
  until: "until",
} as const satisfies Readonly<Record<keyof RowFilter, string>>;

const MEMBERS = Object.keys(NAMES) as (keyof RowFilter)[];

export function isNoFilter(filter: RowFilter): boolean {
  return MEMBERS.every((member) => filter[member] === undefined);
}

/** The filter as a line of text: canonical JSON (RFC 8785) of the members that are set. */
export function renderFilter(filter: RowFilter): string {
  return canonicalJson(filterObject(filter));
}

/** The members in the order of their names, so that `JSON.stringify` writes what `renderFilter` does. */
export function filterObject(filter: RowFilter): JsonObject {
  const set = MEMBERS.flatMap((member) => {
    const value = filter[member];
    return value === undefined ? [] : [[NAMES[member], value] as const];
  });
  return Object.fromEntries(set);
}

/** Reads what `filterObject` made; null when it is something else. */
export function parseFilter(value: JsonValue | undefined): RowFilter | null {
  if (value === undefined || !isJsonObject(value)) return null;
  const found = MEMBERS.flatMap((member) => {
    const text = value[NAMES[member]];
    return typeof text === "string" ? [[member, text] as const] : [];
  });
  return found.length === Object.keys(value).length ? Object.fromEntries(found) : null;
}

/** Whether a row fits, whichever log it is in. */
export function fitsFilter({ agentId, kind, since, until }: RowFilter, row: ReadableRow): boolean {
  if (agentId !== undefined && agentOf(row) !== agentId) return false;
  if (kind !== undefined && row.kind !== kind) return false;
  // Times of one form and one time zone: the order of the texts is the order of the times.
  if (since !== undefined && row.time < since) return false;
  return until === undefined || row.time < until;
}

/** A kill switch on an agent names it as its target. */
function agentOf(row: ReadableRow): JsonValue | undefined {
  return row.kind === "kill_switch" && row["scope"] === "agent" ? row["target_id"] : row["agent_id"];
}
