import type { JsonObject, JsonValue } from "@svc/contract/json-value";
import { type Read, read, refused } from "../refusal.ts";
import type { HeaderList } from "../wire/header-list.ts";
import { type HeaderChanges, NO_CHANGES } from "../wire/processing-response.ts";

const PREFIX = "mcp-param-";

/** The form of a value that plain header text cannot say, or that could be taken for this form. */
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

export interface Arguments {
  readonly before: JsonObject;
  /** Null when the arguments stay. */
  readonly after: JsonObject | null;
}

/**
 * The changes that keep `Mcp-Param-*` headers true to rewritten arguments; a server refuses a call where they
 * differ. Which argument a header repeats is known only from the route table: one that it does not name
 * forbids a rewrite.
 * @param paramHeaders argument by header name
 */
export function mirrorChanges(
  headers: HeaderList,
  paramHeaders: ReadonlyMap<string, string>,
  { before, after }: Arguments,
): Read<HeaderChanges> {
  const present = [...headers.keys()].filter((name) => name.startsWith(PREFIX));
  for (const name of present) {
    const argument = paramHeaders.get(name);
    if (argument === undefined) {
      if (after === null) continue;
      return refused(
        "shaping_unsupported",
        `${name} repeats an argument that the route table does not name.`,
      );
    }
    if (decodeParamValue(headers.get(name)?.[0] ?? "") !== textOf(before[argument])) {
      return refused("request_malformed", `${name} differs from the argument ${argument}.`);
    }
  }
  return after === null ? read(NO_CHANGES) : changesFor(paramHeaders, present, after);
}

function changesFor(
  paramHeaders: ReadonlyMap<string, string>,
  present: readonly string[],
  after: JsonObject,
): Read<HeaderChanges> {
  const set: [string, string][] = [];
  const remove: string[] = [];
  for (const name of present) {
    const argument = paramHeaders.get(name) ?? "";
    const value = after[argument];
    const text = textOf(value);
    if (text !== null) set.push([name, encodeParamValue(text)]);
    else if (value === undefined || value === null) remove.push(name);
    else return refused("shaping_unsupported", `${argument} became a value that ${name} cannot repeat.`);
  }
  return read({ set, remove });
}

/** The text of a value as a header repeats it; null for a value that no header repeats. */
function textOf(value: JsonValue | undefined): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

function encodeParamValue(text: string): string {
  const isPlain = PLAIN.test(text) && !text.startsWith("=?");
  return isPlain ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}

/** @returns null for a value that is neither plain nor soundly encoded. */
export function decodeParamValue(value: string): string | null {
  const encoded = ENCODED.exec(value)?.[1];
  if (encoded === undefined) return PLAIN.test(value) ? value : null;
  const bytes = Buffer.from(encoded, "base64");
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : null;
}
