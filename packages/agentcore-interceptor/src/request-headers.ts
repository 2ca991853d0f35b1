import { confusableWith } from "@svc/tool-calls/confusables";
import type { RpcRequest } from "@svc/tool-calls/mcp-message";
import { malformed, ok, type Result } from "@svc/tool-calls/result";

/** Headers of the request by lower-case name; empty when the gateway passes none. */
export type RequestHeaders = ReadonlyMap<string, string>;

/** Reads what the gateway passes: one text per name, in whatever case the name comes. */
export function readRequestHeaders(headers: unknown): Result<RequestHeaders> {
  if (headers === undefined || headers === null) return ok(new Map());
  if (typeof headers !== "object" || Array.isArray(headers)) return malformed("headers", "an object");
  const known = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (typeof value !== "string") return malformed("headers", "one text for each name");
    if (known.has(lower)) return malformed("headers", "each name once, whatever its case");
    known.set(lower, value);
  }
  return ok(known);
}

/** The value of a governing header. A name that some server could read as this name is refused. */
export function governingHeader(headers: RequestHeaders, name: string): Result<string | null> {
  if (confusableWith([...headers.keys()], [name]) !== null)
    return malformed("headers", `${name} itself, not a look-alike`);
  return ok(headers.get(name) ?? null);
}

/**
 * Why the headers contradict the message; null if they do not. Only plain repetitions are accepted, because
 * servers could decode an encoded one differently.
 */
export function headerFault(headers: RequestHeaders, { method, params }: RpcRequest): string | null {
  const coding = headers.get("content-encoding") ?? "identity";
  if (coding.toLowerCase() !== "identity") return "content-encoding: expected none.";
  if ((headers.get("mcp-method") ?? method) !== method)
    return "Mcp-Method and the body name different methods.";
  if (method !== "tools/call" || !headers.has("mcp-name")) return null;
  return headers.get("mcp-name") === params["name"] ? null : "Mcp-Name and the body give different names.";
}

/** Whether a header repeats an argument. A rewrite cannot change the header. */
export function repeatsArguments(headers: RequestHeaders): boolean {
  return [...headers.keys()].some((name) => name.startsWith("mcp-param-"));
}
