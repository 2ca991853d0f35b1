import type { DenyVerdict } from "@svc/contract/verdict";
import type { RpcId } from "@svc/tool-calls/mcp-message";
import type { McpProxyReporter } from "../reporter.ts";
import type { HttpFault } from "./send-message.ts";

/** The fault of a request that names the session of another agent: for this agent it does not exist. */
export function foreignSession(id: RpcId | null, reporter: Pick<McpProxyReporter, "found">): HttpFault {
  reporter.found("session_foreign", "a request names a session that was given to another agent");
  return { status: 404, message: "This session is not yours, or was forgotten. Begin another one.", id };
}

/** The fault of something other than a request with an id, when a kill switch covers it. */
export function killedRequest(
  what: string,
  deny: DenyVerdict,
  reporter: Pick<McpProxyReporter, "refused">,
): HttpFault {
  reporter.refused("killed", `${what}: ${deny.reason}`);
  return { status: 403, message: deny.reason };
}
