import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "@svc/contract/limits";
import { type Problem, problem } from "@svc/contract/problem";
import type { LoadMode } from "@svc/control-plane/read-document";
import type { PageRequest } from "@svc/store/ports/page";
import type { MiddlewareHandler } from "hono";
import type { ApiContext, ApiEnvironment } from "../api-context.ts";
import type { Input } from "../request-input.ts";
import { EXCERPT_LENGTH, unknownParameter } from "../unknown-parameter.ts";
import { problemAnswer } from "./answers.ts";

/** Longest cursor in characters: ours are shorter. */
const MAX_CURSOR_LENGTH = 1_024;

/** The query parameters of every list. */
export const PAGE_PARAMETERS = ["limit", "cursor"] as const;

/** Refuses query parameters that the route does not have, and repeated ones. */
export function takes(...known: readonly string[]): MiddlewareHandler<ApiEnvironment> {
  return async (context, next) => {
    const query = context.req.queries();
    const unknown = unknownParameter(Object.keys(query), known);
    if (unknown !== null) return problemAnswer(context, unknown);
    for (const [name, values] of Object.entries(query)) {
      if (values.length === 1) continue;
      const { problem: repeated } = refused(name, "it once", `it ${String(values.length)} times`);
      return problemAnswer(context, repeated);
    }
    return next();
  };
}

/** Reads `limit` and `cursor`. */
export function readPage(context: ApiContext): Input<PageRequest> {
  const limit = context.req.query("limit") ?? String(DEFAULT_PAGE_SIZE);
  if (!/^[1-9][0-9]{0,2}$/.test(limit) || Number(limit) > MAX_PAGE_SIZE) {
    return refused("limit", `a number from 1 to ${String(MAX_PAGE_SIZE)}`, limit);
  }
  const after = context.req.query("cursor") ?? null;
  if (after !== null && after.length > MAX_CURSOR_LENGTH)
    return refused("cursor", "a next_cursor", "a longer text");
  return { kind: "ok", value: { limit: Number(limit), after } };
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
    : { kind: "ok", value: choice };
}

/** The query parameters of every way that a policy document is loaded. */
export const LOAD_PARAMETERS = ["strict", "dry_run"] as const;

/** Reads `strict` and `dry_run`. */
export function readLoadMode(context: ApiContext): Input<LoadMode> {
  const strict = readChoice(context, { name: "strict", choices: FLAG, fallback: "false" });
  if (strict.kind === "problem") return strict;
  const dryRun = readChoice(context, { name: "dry_run", choices: FLAG, fallback: "false" });
  if (dryRun.kind === "problem") return dryRun;
  return { kind: "ok", value: { strict: strict.value === "true", dryRun: dryRun.value === "true" } };
}

const FLAG = ["true", "false"] as const;

/** Reads a version number from the path. */
export function readVersion(text: string): Input<number> {
  if (/^[1-9][0-9]{0,8}$/.test(text)) return { kind: "ok", value: Number(text) };
  return refused("version", "a version number from 1", text);
}

/** Reads `If-Match: "3"`; null when the header is absent or `*`. */
export function readIfMatch(context: ApiContext): Input<number | null> {
  const header = context.req.header("if-match");
  if (header === undefined || header === "*") return { kind: "ok", value: null };
  const version = /^"([1-9][0-9]{0,8})"$/.exec(header)?.[1];
  if (version !== undefined) return { kind: "ok", value: Number(version) };
  return refused("If-Match", `a version number in double quotes (curl -H 'If-Match: "3"'), or *`, header);
}

function refused(pointer: string, expected: string, found: string): { kind: "problem"; problem: Problem } {
  const shown = JSON.stringify(found.slice(0, EXCERPT_LENGTH));
  const entry = { pointer, expected, found: shown };
  const detail = `${pointer}: expected ${expected}, found ${shown}`;
  return { kind: "problem", problem: problem("invalid_request", detail, { errors: [entry] }) };
}
