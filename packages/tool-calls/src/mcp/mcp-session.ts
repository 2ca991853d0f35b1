import { hash } from "node:crypto";
import { isIdentifier } from "@svc/contract/identifier";
import { isName, NAME_EXPECTATION } from "@svc/contract/name";
import type { JsonObject } from "@svc/text/json-value";
import { malformed, ok, type Result } from "../result.ts";
import { metaOf } from "./mcp-message.ts";

/** Key in `_meta` by which a client names its conversation. The stateless revisions have no header for it. */
const SESSION_KEY = "svc/sessionId";

/** The names of a conversation outside the body of a request; null when there is none. */
export interface SessionSources {
  /** Of X-Svc-Session-Id. */
  readonly sessionId: string | null;
  /** Of Mcp-Session-Id, the server's name for the conversation. */
  readonly mcpSession: string | null;
  /** Of traceparent, 32 hexadecimal digits. */
  readonly traceId: string | null;
  /** The session that the adapter assumes when nothing else names one; absent when it assumes none. */
  readonly impliedSession?: string;
}

/**
 * The session that a call counts in: X-Svc-Session-Id, else `_meta["svc/sessionId"]`, else Mcp-Session-Id,
 * else the trace id, else what the adapter implies; null when none is there. A source that cannot be read is
 * refused and never skipped, because the next source would count in another budget.
 */
export function readSessionId(sources: SessionSources, params: JsonObject): Result<string | null> {
  if (sources.sessionId !== null) return ok(sources.sessionId);
  const meta = metaOf(params);
  if (Object.hasOwn(meta, SESSION_KEY)) {
    const named = meta[SESSION_KEY];
    if (typeof named === "string" && isName(named)) return ok(named);
    return malformed(`params._meta["${SESSION_KEY}"]`, NAME_EXPECTATION);
  }
  return ok(sessionOfHeaders(sources));
}

/** The session of a request without a body. */
export function sessionOfHeaders(sources: SessionSources): string | null {
  const { sessionId, mcpSession, traceId, impliedSession = null } = sources;
  return sessionId ?? (mcpSession === null ? (traceId ?? impliedSession) : identifierOf(mcpSession));
}

/**
 * Every session name in a request. A kill switch on any of them stops the request. Otherwise a client could
 * leave a killed session by naming another one as well.
 */
export function sessionNames(sources: SessionSources, params: JsonObject): readonly string[] {
  const meta = metaOf(params);
  const named = Object.hasOwn(meta, SESSION_KEY) ? meta[SESSION_KEY] : null;
  const { sessionId, mcpSession, traceId, impliedSession } = sources;
  const given = [sessionId, named, mcpSession === null ? null : identifierOf(mcpSession), traceId];
  const names = given.filter((name) => typeof name === "string");
  return names.length === 0 && impliedSession !== undefined ? [impliedSession] : names;
}

/**
 * Servers choose these ids freely, and nobody reads them. One that is not an identifier is replaced by its
 * digest, and stays replaced although it could be a name: a kill switch may name the digest.
 */
function identifierOf(mcpSession: string): string {
  return isIdentifier(mcpSession) ? mcpSession : `mcp-session:${hash("sha256", mcpSession)}`;
}
