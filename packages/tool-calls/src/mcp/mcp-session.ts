import { hash } from "node:crypto";
import { isIdentifier } from "@svc/contract/identifier";
import type { JsonObject } from "@svc/contract/json-value";
import { metaOf } from "./mcp-message.ts";
import { malformed, ok, type Result } from "../result.ts";

/** Key in `_meta` by which a client names its conversation; the stateless era has no header for it. */
const SESSION_KEY = "svc/sessionId";

/** What names the conversation of a request beside its body; null: nothing. */
export interface SessionSources {
  /** Of X-Svc-Session-Id. */
  readonly sessionId: string | null;
  /** Of Mcp-Session-Id: what the server calls the conversation. */
  readonly mcpSession: string | null;
  /** Of traceparent, 32 hexadecimal digits. */
  readonly traceId: string | null;
  /** What the adapter takes for its session when nothing else names one; absent: nothing. */
  readonly impliedSession?: string;
}

/**
 * The session that a call counts in: X-Svc-Session-Id, else `_meta["svc/sessionId"]`, else Mcp-Session-Id,
 * else the trace id, else what the adapter implies; null when none is there. One that is there and cannot be
 * read is refused, never passed over: the next source would count in another budget.
 */
export function readSessionId(sources: SessionSources, params: JsonObject): Result<string | null> {
  if (sources.sessionId !== null) return ok(sources.sessionId);
  const meta = metaOf(params);
  if (Object.hasOwn(meta, SESSION_KEY)) {
    const named = meta[SESSION_KEY];
    if (typeof named === "string" && isIdentifier(named)) return ok(named);
    return malformed(`params._meta["${SESSION_KEY}"]`, "an identifier");
  }
  return ok(sessionOfHeaders(sources));
}

/** The session of a request without a body. */
export function sessionOfHeaders(sources: SessionSources): string | null {
  const { sessionId, mcpSession, traceId, impliedSession = null } = sources;
  return sessionId ?? (mcpSession === null ? (traceId ?? impliedSession) : identifierOf(mcpSession));
}

/**
 * Every name that a request gives its session, whichever of them it counts in: a kill switch of any of them
 * means it. Otherwise a client would leave a killed session by naming another one beside it.
 */
export function sessionNames(sources: SessionSources, params: JsonObject): readonly string[] {
  const meta = metaOf(params);
  const named = Object.hasOwn(meta, SESSION_KEY) ? meta[SESSION_KEY] : null;
  const { sessionId, mcpSession, traceId, impliedSession } = sources;
  const given = [sessionId, named, mcpSession === null ? null : identifierOf(mcpSession), traceId];
  const names = given.filter((name) => typeof name === "string");
  return names.length === 0 && impliedSession !== undefined ? [impliedSession] : names;
}

/** Servers name sessions as they like; a name that is not an identifier here goes by its digest. */
function identifierOf(mcpSession: string): string {
  return isIdentifier(mcpSession) ? mcpSession : `mcp-session:${hash("sha256", mcpSession)}`;
}
