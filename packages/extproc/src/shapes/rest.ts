import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { confusablePair } from "@svc/tool-calls/confusables";
import { denied, malformed, ok, type Result } from "@svc/tool-calls/result";
import type { GovernedRequest } from "../routes/plan-request.ts";
import type { HttpMessage } from "../stream/stream-state.ts";
import { NO_CHANGES } from "../wire/processing-response.ts";
import { forwardJson, readJsonBody } from "./json-body.ts";
import type { ParsedMessage } from "./parsed-message.ts";

const NO_BODY: JsonObject = {};

/** Names that arguments must not have, because a reader could take them for its own members. */
const FORBIDDEN: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Reads a plain HTTP request as one call: path parameters, query and the members of a JSON body are its
 * arguments, side by side. A name that comes twice is refused, because servers differ in which they take; so
 * is one that a server could take for another (`Region` beside `region`).
 */
export function parseRest(
  message: HttpMessage,
  request: GovernedRequest,
  tool: string,
): Result<ParsedMessage> {
  const hasBody = message.body !== null && message.body.byteLength > 0;
  if (hasBody && (request.method === "GET" || request.method === "HEAD")) {
    return malformed("body", `none with ${request.method}`, "a body");
  }
  const body = hasBody ? readJsonBody(message, MAX_BODY_BYTES) : ok(NO_BODY);
  if (!body.ok) return body;
  const query = readQuery(request.query);
  if (!query.ok) return query;
  const outside = [...request.parameters, ...query.value];
  const names = [...outside.map(([name]) => name), ...Object.keys(body.value)];
  if (confusablePair(names) !== null) {
    return malformed(
      "arguments",
      "each name once, however case and separators are read",
      "one several times",
    );
  }
  if (names.some((name) => FORBIDDEN.has(name)))
    return malformed("arguments", "plain names", "a reserved name");
  const args: JsonObject = { ...Object.fromEntries(outside), ...body.value };
  return ok({
    calls: [{ tool, args }],
    forward: ([shaped]) => {
      if (!hasBody)
        return shaped ? keptOutside(outside, shaped, null) : ok({ body: null, changes: NO_CHANGES });
      return shaped ? keptOutside(outside, shaped, body.value) : ok(forwardJson(body.value));
    },
  });
}

/** Refuses a rewrite of arguments outside the body, because the path has already gone on. */
function keptOutside(
  outside: readonly (readonly [string, string])[],
  shaped: JsonObject,
  body: JsonObject | null,
): ReturnType<ParsedMessage["forward"]> {
  const rest = new Map<string, JsonValue>(Object.entries(shaped));
  const isKept = outside.every(([name, value]) => rest.get(name) === value && rest.delete(name));
  if (!isKept || (body === null && rest.size > 0)) {
    return denied("shaping_unsupported", "The policy rewrites the path or the query, or adds a body.");
  }
  return ok(body === null ? { body: null, changes: NO_CHANGES } : forwardJson(Object.fromEntries(rest)));
}

/**
 * Names that some servers shorten or read as lists, which can turn them into the name of another argument.
 */
const LISTED = /[[\]\p{Cc}]|^\s|\s$/u;

/**
 * The pairs of a query. Some servers also separate pairs by semicolons, and servers read a
 * bad escape differently.
 */
function readQuery(query: string): Result<readonly (readonly [string, string])[]> {
  if (query === "") return ok([]);
  if (!/^(?:[A-Za-z0-9._~!$&'()*+,=:@/?-]|%[0-9A-Fa-f]{2})*$/.test(query)) {
    return malformed("query", "escaped pairs without semicolons", "another form");
  }
  const pairs = query.split("&").map((pair) => {
    const at = pair.indexOf("=");
    return [decode(at < 0 ? pair : pair.slice(0, at)), decode(at < 0 ? "" : pair.slice(at + 1))] as const;
  });
  const readable = pairs.filter(
    (pair): pair is readonly [string, string] => pair[0] !== null && pair[1] !== null,
  );
  if (readable.length !== pairs.length) return malformed("query", "UTF-8", "something else");
  return readable.some(([name]) => LISTED.test(name))
    ? malformed("query", "names without brackets, control characters and outer spaces", "another name")
    : ok(readable);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
}
