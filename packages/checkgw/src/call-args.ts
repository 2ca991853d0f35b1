import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { parseStrictJson } from "@svc/text/strict-json";
import { malformed, ok, type Result } from "@svc/tool-calls/result";
import type { ForwardedBody } from "./forwarded-body.ts";
import type { GovernanceHeaders } from "./governance-headers.ts";
import { type ProxiedRequest, readRequestFacts } from "./request-facts.ts";

/** Longest args header in bytes. Proxies pass on 8 KiB of one header line, and refuse or cut longer lines. */
export const MAX_ARGS_HEADER_BYTES = 8 * 1024;

const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/;

/**
 * Reads the arguments of the call from exactly one place: X-Svc-Args, X-Svc-Args-B64, or else the facts of
 * the proxied request together with its body. Arguments that cannot be read are refused, and never count
 * as "no arguments".
 */
export function readCallArgs(
  governance: GovernanceHeaders,
  request: ProxiedRequest,
  body: ForwardedBody | null,
): Result<JsonObject> {
  const { args, argsB64 } = governance;
  const sources = [args, argsB64, body].filter((source) => source !== null);
  if (sources.length > 1)
    return malformed("arguments", "one of x-svc-args, x-svc-args-b64, a body", "several");
  if (args !== null) return readArgsHeader("x-svc-args", args, Buffer.from(args, "latin1"));
  if (argsB64 !== null) return readEncodedArgs(argsB64);
  const facts = readRequestFacts(request);
  if (!facts.ok || body === null) return facts;
  return ok({ ...facts.value, body: body.value });
}

function readEncodedArgs(text: string): Result<JsonObject> {
  const name = "x-svc-args-b64";
  const bytes = Buffer.from(text, "base64url");
  const isCanonical = BASE64URL.test(text) && bytes.toString("base64url") === text.replace(/=+$/, "");
  return isCanonical ? readArgsHeader(name, text, bytes) : malformed(name, "base64url", "something else");
}

function readArgsHeader(name: string, text: string, bytes: Uint8Array): Result<JsonObject> {
  if (text.length > MAX_ARGS_HEADER_BYTES) {
    return malformed(name, `at most ${MAX_ARGS_HEADER_BYTES} bytes`, `${text.length}`);
  }
  const document = parseStrictJson(bytes);
  return document.ok && isJsonObject(document.value)
    ? ok(document.value)
    : malformed(name, "a strict JSON object", "something else");
}
