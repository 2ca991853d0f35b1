import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "@svc/contract/limits";
import { type Problem, problem } from "@svc/contract/problem";
import type { PageRequest } from "@svc/store/ports/control-store";
import type { ApiContext } from "../http-types.ts";
import type { Input } from "../request-input.ts";

/** Longest cursor in characters: ours are shorter. */
const MAX_CURSOR_LENGTH = 1_024;

/** Reads `limit` and `cursor`; refuses parameters that the list does not know. */
export function readPage(context: ApiContext, otherParameters: readonly string[] = []): Input<PageRequest> {
  const query = context.req.queries();
  for (const [name, values] of Object.entries(query)) {
    const known = name === "limit" || name === "cursor" || otherParameters.includes(name);
    if (!known) return refused(name, `one of ${["limit", "cursor", ...otherParameters].join(", ")}`, name);
    if (values.length > 1) return refused(name, "it once", `it ${String(values.length)} times`);
  }
  const limit = query["limit"]?.[0] ?? String(DEFAULT_PAGE_SIZE);
  if (!/^[1-9][0-9]{0,2}$/.test(limit) || Number(limit) > MAX_PAGE_SIZE) {
    return refused("limit", `a number from 1 to ${String(MAX_PAGE_SIZE)}`, limit);
  }
  const after = query["cursor"]?.[0] ?? null;
  if (after !== null && after.length > MAX_CURSOR_LENGTH)
    return refused("cursor", "a next_cursor", "a longer text");
  return { kind: "input", value: { limit: Number(limit), after } };
}

/** Reads a query parameter that takes one of a few words. */
export function readChoice<const Choice extends string>(
  context: ApiContext,
  {
    name,
    choices,
    fallback,
  }: { readonly name: string; readonly choices: readonly Choice[]; readonly fallback: Choice },
): Input<Choice> {
  const text = context.req.query(name) ?? fallback;
  const choice = choices.find((candidate) => candidate === text);
  return choice === undefined
    ? refused(name, `one of ${choices.join(", ")}`, text)
    : { kind: "input", value: choice };
}

/** Reads a version number from the path. */
export function readVersion(text: string): Input<number> {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return { kind: "input", value: Number(text) };
  return refused("version", "a version number from 1", text);
}

/** Reads `If-Match: "3"`; null when the header is absent or `*`. */
export function readIfMatch(context: ApiContext): Input<number | null> {
  const header = context.req.header("if-match");
  if (header === undefined || header === "*") return { kind: "input", value: null };
  const version = /^"([1-9][0-9]{0,8})"$/.exec(header)?.[1];
  if (version !== undefined) return { kind: "input", value: Number(version) };
  return refused("If-Match", 'the ETag of a version, such as "3", or *', header);
}

function refused(pointer: string, expected: string, found: string): { kind: "problem"; problem: Problem } {
  const shown = JSON.stringify(found.slice(0, 64));
  const entry = { pointer, expected, found: shown };
  const detail = `${pointer}: expected ${expected}, found ${shown}`;
  return { kind: "problem", problem: problem("invalid_request", detail, { errors: [entry] }) };
}
