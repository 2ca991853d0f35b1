import type { DenyVerdict } from "@svc/contract/verdict";
import { singleHeader } from "@svc/http-edge/single-header";
import { foldHeaderName } from "@svc/text/fold-header-name";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { decodeMcpHeader, encodeMcpHeader } from "@svc/tool-calls/mcp-header-value";
import type { RpcRequest } from "@svc/tool-calls/mcp-message";
import { denied, ok, type Result } from "@svc/tool-calls/result";
import type { Mirror } from "../memory/tool-mirrors.ts";
import { PARAM_PREFIX, type RawHeaders } from "./caller.ts";

/** The param that Mcp-Name repeats, by method prefix. */
const NAMED_BY: readonly (readonly [string, string])[] = [
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/", "taskId"],
];

/**
 * How the headers that repeat the body contradict it; null when they agree or are absent. Verdicts come from
 * the body alone, but a server or a load balancer behind the proxy may read the headers instead.
 */
export function mirrorFault(headers: RawHeaders, { method, params }: RpcRequest): string | null {
  if (contradicts(headers, "mcp-method", method)) return "Mcp-Method names another method than the body.";
  const key = NAMED_BY.find(([prefix]) => method.startsWith(prefix))?.[1];
  if (key === undefined) return null;
  return contradicts(headers, "mcp-name", params[key])
    ? `Mcp-Name names another ${key} than the body.`
    : null;
}

function contradicts(headers: RawHeaders, name: string, said: JsonValue | undefined): boolean {
  const header = singleHeader(headers, name);
  if (header.kind === "absent") return false;
  return header.kind === "repeated" || decodeMcpHeader(header.value) !== said;
}

/**
 * How the headers that repeat arguments contradict these; null when they agree. A header that no list of
 * tools mentions passes, but not twice: servers differ in which of two they read.
 * @param mirrors of this tool; undefined when the proxy has seen no list with it
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
    if (seen.has(dashed)) return `${excerpt(name)} is present twice.`;
    seen.add(dashed);
    const meant = mirrors?.filter(({ header }) => foldHeaderName(header) === dashed) ?? [];
    const value = rawHeaders[index + 1] ?? "";
    if (!meant.every(({ header, path }) => header.toLowerCase() === name && repeats(value, args, path)))
      return `${excerpt(name)} has another value than the body.`;
  }
  return null;
}

/** Longest header name in an error message, in characters. */
const MAX_NAME = 80;

function excerpt(name: string): string {
  return name.slice(0, MAX_NAME);
}

const DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** Whether a header repeats an argument. Numbers are compared by value: `10` equals `10.0`. */
function repeats(header: string, args: JsonValue | undefined, path: readonly string[]): boolean {
  const value = valueAt(args, path);
  const said = decodeMcpHeader(header);
  if (typeof value === "number" && said !== null && DECIMAL.test(said)) return Number(said) === value;
  return said !== null && said === (typeof value === "boolean" ? String(value) : value);
}

/**
 * The headers for a call whose arguments a policy rewrote. A header that repeats an argument gets its new
 * value. One that repeats an unknown argument would still carry the old value, so such a call is denied.
 * @param mirrors of this tool; undefined when the proxy has seen no list with it
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
    "The policy rewrites arguments, and no list of tools says which of them the Mcp-Param headers repeat.";
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

/** The value of a header; null when there is nothing to repeat, so that the header must be absent. */
function headerValue(value: JsonValue | undefined): string | null {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" ? encodeMcpHeader(value) : null;
}
