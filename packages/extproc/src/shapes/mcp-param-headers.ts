import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { decodeMcpHeader, encodeMcpHeader } from "@svc/tool-calls/mcp-header-value";
import { denied, malformed, ok, type Result } from "@svc/tool-calls/result";
import type { HeaderList } from "../wire/header-list.ts";
import type { HeaderChanges } from "../wire/processing-response.ts";

const PREFIX = "mcp-param-";

/** Which argument each `Mcp-Param-*` header repeats, by header name: known from the route table alone. */
export type ParamHeaders = ReadonlyMap<string, string>;

/**
 * Refuses a call whose headers differ from its arguments, because a server on the way may use the headers. A
 * header that the route table does not name must repeat the argument of its own name.
 */
export function checkMirrors(headers: HeaderList, known: ParamHeaders, args: JsonObject): Result<null> {
  for (const [name, [value]] of headers) {
    if (value === undefined || !name.startsWith(PREFIX)) continue;
    const argument = known.get(name) ?? namesake(name, args);
    if (argument === undefined) return malformed(name, "a header that param_headers lists", "another header");
    if (decodeMcpHeader(value) !== textOf(args[argument])) {
      return malformed(name, `the argument ${argument}`, "another value");
    }
  }
  return ok(null);
}

/** The argument that has the name of the header. Header names are case-insensitive. */
function namesake(name: string, args: JsonObject): string | undefined {
  return Object.keys(args).find((argument) => PREFIX + argument.toLowerCase() === name);
}

/**
 * The changes that make the headers repeat the rewritten arguments. A server refuses a call where they
 * differ. A header that the route table does not name forbids a rewrite.
 */
export function mirrorChanges(
  headers: HeaderList,
  known: ParamHeaders,
  shaped: JsonObject,
): Result<HeaderChanges> {
  const present = [...headers.keys()].filter((name) => name.startsWith(PREFIX));
  const unknown = present.find((name) => !known.has(name));
  if (unknown !== undefined) {
    return denied(
      "shaping_unsupported",
      `${unknown} repeats an argument that the route table does not name.`,
    );
  }
  return changesFor(known, present, shaped);
}

function changesFor(
  known: ParamHeaders,
  present: readonly string[],
  after: JsonObject,
): Result<HeaderChanges> {
  const set: [string, string][] = [];
  const remove: string[] = [];
  for (const name of present) {
    const argument = known.get(name) ?? "";
    const value = after[argument];
    const text = textOf(value);
    if (text !== null) set.push([name, encodeMcpHeader(text)]);
    else if (value === undefined || value === null) remove.push(name);
    else return denied("shaping_unsupported", `${argument} became a value that ${name} cannot repeat.`);
  }
  return ok({ set, remove });
}

/** The text of a value as a header repeats it; null for a value that no header repeats. */
function textOf(value: JsonValue | undefined): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}
