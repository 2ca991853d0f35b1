import { callerTrace } from "@svc/http-edge/caller-trace";
import { singleHeader } from "@svc/http-edge/single-header";
import { foldHeaderName } from "@svc/text/fold-header-name";
import { confusableWith } from "@svc/tool-calls/confusables";
import { type Identity, joinIdentities } from "@svc/tool-calls/identity";
import type { SessionSources } from "@svc/tool-calls/mcp-session";
import { nameInHeader } from "@svc/tool-calls/name-in-header";
import { malformed, ok, type Result } from "@svc/tool-calls/result";
import type { McpProxySettings } from "../mcp-proxy-settings.ts";

/** Names and values in turn, as the client sent them: `IncomingMessage.rawHeaders`. */
export interface RawHeaders {
  readonly rawHeaders: string[];
}

/** Who sends a request, according to configuration and headers. The body has no say in this. */
export interface Caller extends Identity, SessionSources {
  /** As it came, well-formed; undefined: none. */
  readonly traceparent?: string | undefined;
}

const GOVERNANCE_HEADERS = ["x-svc-agent-id", "x-svc-session-id", "x-svc-namespace"] as const;

/** The prefix of headers that repeat an argument of a tool. */
export const PARAM_PREFIX = "mcp-param-";

/** Visible ASCII, as MCP requires, of at most 1,024 characters. */
const MCP_SESSION = /^[\x21-\x7e]{1,1024}$/;

/**
 * Reads who sends a request. The operator's proxy sets these headers, so one that contradicts the
 * configuration is refused. A look-alike of such a header is refused too: a proxy that strips the plain
 * spelling would let it through.
 */
export function readCaller(request: RawHeaders, fixed: McpProxySettings["identity"]): Result<Caller> {
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const alias = confusableWith(names, GOVERNANCE_HEADERS);
  if (alias !== null) return malformed("request headers", `${alias} itself, not a look-alike`);
  const folded = names.find(isFolded);
  if (folded !== undefined)
    return malformed("request headers", `no name that servers may read as ${foldHeaderName(folded)}`, folded);
  const agentId = readName(request, "x-svc-agent-id");
  if (!agentId.ok) return agentId;
  const namespace = readName(request, "x-svc-namespace");
  if (!namespace.ok) return namespace;
  const identity = joinIdentities([fixed], [{ agentId: agentId.value, namespace: namespace.value }]);
  if (!identity.ok) return identity;
  const sessionId = readName(request, "x-svc-session-id");
  if (!sessionId.ok) return sessionId;
  const mcpSession = singleHeader(request, "mcp-session-id");
  if (mcpSession.kind === "repeated" || (mcpSession.kind === "value" && !MCP_SESSION.test(mcpSession.value)))
    return malformed("mcp-session-id", "one value of visible ASCII");
  const trace = callerTrace(request);
  return ok({
    ...identity.value,
    sessionId: sessionId.value,
    mcpSession: mcpSession.kind === "value" ? mcpSession.value : null,
    traceId: trace?.traceId ?? null,
    traceparent: trace?.text,
  });
}

/** Whether some servers read a header's name as a governed one. A tool chooses what follows `mcp-param-`. */
function isFolded(name: string): boolean {
  const dashed = foldHeaderName(name);
  return dashed !== name && GOVERNED_NAME.test(dashed) && !name.startsWith(PARAM_PREFIX);
}

const GOVERNED_NAME = /^(?:mcp-|x-svc-|last-event-id$|traceparent$)/;

function readName(request: RawHeaders, name: string): Result<string | null> {
  const header = singleHeader(request, name);
  if (header.kind === "absent") return ok(null);
  return header.kind === "repeated" ? malformed(name, "one value") : nameInHeader(name, header.value);
}
