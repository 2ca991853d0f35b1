import type { RpcId } from "@svc/tool-calls/mcp-message";
import type { DenyVerdict } from "@svc/contract/verdict";
import type { McpProxyParts } from "../mcp-proxy-parts.ts";
import type { HttpFault } from "./send-message.ts";

/** To its owner's clients a session that is not theirs does not exist. */
export function foreignSession(id: RpcId | null, { reporter }: McpProxyParts): HttpFault {
  reporter.found("session_foreign", "a session that was given to another agent is named");
  return { status: 404, message: "This session is not yours, or forgotten: begin another.", id };
}

/** A request without an answer to an id that a kill keeps from its server. */
export function killedRequest(what: string, deny: DenyVerdict, { reporter }: McpProxyParts): HttpFault {
  reporter.refused("killed", `${what}: ${deny.reason}`);
  return { status: 403, message: deny.reason };
}
