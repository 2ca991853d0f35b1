import { foldHeaderName } from "@svc/contract/fold-header-name";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/contract/json-value";
import { decodeMcpHeader, encodeMcpHeader } from "@svc/tool-calls/mcp-header-value";
import type { RpcRequest } from "@svc/tool-calls/mcp-message";
import type { DenyVerdict } from "@svc/contract/verdict";
import { denied, ok, type Result } from "@svc/tool-calls/result";
import { singleHeader } from "@svc/http-edge/single-header";
import { PARAM_PREFIX, type RawHeaders } from "./caller.ts";
import type { Mirror } from "../memory/tool-mirrors.ts";

/** Where a request names what it is about, by method prefix; headers repeat it in Mcp-Name. */
const NAMED_BY: readonly (readonly [string, string])[] = [
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/", "taskId"],
];

/**
 * Why headers that repeat the body say something else; null: they agree, or are not there. Verdicts come from
 * the body alone, but a server or balancer behind may believe the headers.
 */
export function mirrorFault(headers: RawHeaders, { method, params }: RpcRequest): string | null {
  if (contradicts(headers, "mcp-method", method)) return "Mcp-Method says another method than the body.";
  const key = NAMED_BY.find(([prefix]) => method.startsWith(prefix))?.[1];
  if (key === undefined) return null;
  return contradicts(headers, "mcp-name", params[key]) ? `Mcp-Name says another ${key} than the body.` : null;
}

function contradicts(headers: RawHeaders, name: string, said: JsonValue | undefined): boolean {
  const header = singleHeader(headers, name);
  if (header.kind === "absent") return false;
  return header.kind === "repeated" || decodeMcpHeader(header.value) !== said;
}

/**
 * Why headers that repeat arguments say something else than those; null: they agree, or are not known to
 * repeat any. One that nobody here knows passes, but once: which of two counts is for each server to say.
 * @param mirrors of this tool; undefined when its list of tools was never seen
 */
export function paramMirrorFault(
  { rawHeaders }: RawHeaders,
  mirrors: readonly Mirror[] | undefined,
  args: JsonValue | undefined,
): string | null {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    if (!name.startsWith(PARAM_PREFIX)) continue;
    const dashed = foldHeaderName(name);
    if (seen.has(dashed)) return `${excerpt(name)} is there twice.`;
    seen.add(dashed);
    const meant = mirrors?.filter(({ header }) => foldHeaderName(header) === dashed) ?? [];
    const value = rawHeaders[index + 1] ?? "";
    if (!meant.every(({ header, path }) => header.toLowerCase() === name && repeats(value, args, path)))
      return `${excerpt(name)} says another value than the body.`;
  }
  return null;
}

/** Longest name of a header in a message, in characters. */
const MAX_NAME = 80;

function excerpt(name: string): string {
  return name.slice(0, MAX_NAME);
}

const DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** Numbers are compared by their value: `10` and `10.0` are one. */
function repeats(header: string, args: JsonValue | undefined, path: readonly string[]): boolean {
  const value = valueAt(args, path);
  const said = decodeMcpHeader(header);
  if (typeof value === "number" && said !== null && DECIMAL.test(said)) return Number(said) === value;
  return said !== null && said === (typeof value === "boolean" ? String(value) : value);
}

/**
 * The headers for a call whose arguments a policy rewrote: those that mirror an argument follow it. What
 * mirrors something unknown would tell the old value, so such a call is denied.
 * @param mirrors of this tool; undefined when its list of tools was never seen
 */
export function followArgs(
  { rawHeaders }: RawHeaders,
  mirrors: readonly Mirror[] | undefined,
  args: JsonObject,
): Result<string[]> {
  const kept: string[] = [];
  const known = new Set(mirrors?.map(({ header }) => header.toLowerCase()));
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    const lower = name.toLowerCase();
    if (!lower.startsWith(PARAM_PREFIX)) kept.push(name, rawHeaders[index + 1] ?? "");
    else if (!known.has(lower)) return unsupported();
  }
  for (const { header, path } of mirrors ?? []) {
    const value = headerValue(valueAt(args, path));
    if (value !== null) kept.push(header, value);
  }
  return ok(kept);
}

function unsupported(): { ok: false; deny: DenyVerdict } {
  const reason =
    "The policy rewrites arguments, and no list of tools seen here tells which ones Mcp-Param repeats.";
  return denied("shaping_unsupported", reason);
}

function valueAt(args: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = args;
  for (const key of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** Null: nothing to mirror, and the header must be absent. */
function headerValue(value: JsonValue | undefined): string | null {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" ? encodeMcpHeader(value) : null;
}
