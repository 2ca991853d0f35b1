import type { JsonObject, JsonValue } from "@svc/contract/json-value";
import { decodeMcpHeader, encodeMcpHeader } from "@svc/contract/mcp-header-value";
import { malformed, type Read, read, refused } from "@svc/decision-client/refusal";
import type { HeaderList } from "../wire/header-list.ts";
import type { HeaderChanges } from "../wire/processing-response.ts";

const PREFIX = "mcp-param-";

/** Which argument each `Mcp-Param-*` header repeats, by header name: known from the route table alone. */
export type ParamHeaders = ReadonlyMap<string, string>;

/**
 * Refuses a call whose headers say something else than its arguments: something on the way may believe them.
 */
export function checkMirrors(headers: HeaderList, known: ParamHeaders, args: JsonObject): Read<null> {
  for (const [name, argument] of known) {
    const [value] = headers.get(name) ?? [];
    if (value !== undefined && decodeMcpHeader(value) !== textOf(args[argument])) {
      return malformed(name, `the argument ${argument}`, "another value");
    }
  }
  return read(null);
}

/**
 * The changes that keep the headers true to rewritten arguments; a server refuses a call where they differ. A
 * header that the route table does not name forbids a rewrite.
 */
export function mirrorChanges(
  headers: HeaderList,
  known: ParamHeaders,
  shaped: JsonObject,
): Read<HeaderChanges> {
  const present = [...headers.keys()].filter((name) => name.startsWith(PREFIX));
  const unknown = present.find((name) => !known.has(name));
  if (unknown !== undefined) {
    return refused(
      "shaping_unsupported",
      `${unknown} repeats an argument that the route table does not name.`,
    );
  }
  return changesFor(known, present, shaped);
}

function changesFor(known: ParamHeaders, present: readonly string[], after: JsonObject): Read<HeaderChanges> {
  const set: [string, string][] = [];
  const remove: string[] = [];
  for (const name of present) {
    const argument = known.get(name) ?? "";
    const value = after[argument];
    const text = textOf(value);
    if (text !== null) set.push([name, encodeMcpHeader(text)]);
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
