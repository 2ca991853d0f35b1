import { AUDIT_ROW_VERSION } from "@svc/contract/audit-row";
import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { parseJsonObject } from "./parse-json-object.ts";

/** A stored row as tools read it. Kinds and members that this version does not know pass through. */
export interface ReadableRow extends JsonObject {
  readonly v: typeof AUDIT_ROW_VERSION;
  readonly kind: string;
  readonly time: string;
  readonly org: string;
}

export type RowReading =
  | { readonly kind: "row"; readonly row: ReadableRow }
  | { readonly kind: "unknown_version"; readonly version: JsonValue }
  | { readonly kind: "malformed" };

/** Reads a stored row for display and search, without a check of its integrity. */
export function parseRowText(text: string): RowReading {
  const row = parseJsonObject(text);
  if (row === null) return { kind: "malformed" };
  const version = row["v"] ?? null;
  if (version !== AUDIT_ROW_VERSION) return { kind: "unknown_version", version };
  return isReadable(row) ? { kind: "row", row } : { kind: "malformed" };
}

function isReadable(row: JsonObject): row is ReadableRow {
  return ["kind", "time", "org"].every((name) => typeof row[name] === "string");
}
