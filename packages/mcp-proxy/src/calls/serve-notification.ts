import { INVALID_REQUEST, type RpcNotification } from "@svc/tool-calls/mcp-message";
import { isNotification } from "@svc/tool-calls/mcp-methods";
import { isJsonObject } from "@svc/contract/json-value";
import type { Caller } from "../headers/caller.ts";
import type { McpProxyParts } from "../mcp-proxy-parts.ts";
import type { PassedPath } from "../paths.ts";
import { killedFault, scopeOf } from "../kills/resumption-deny.ts";
import { sendFault } from "./send-message.ts";
import type { Exchange } from "../upstream/mcp-server.ts";
import { serveUnowed } from "../relay/pass-through.ts";

/** A body that passes as it came, and who sent it. */
export interface Sent extends Exchange {
  readonly caller: Caller;
  readonly bytes: Buffer;
}

/**
 * Passes a notification on, known or unknown, unless a kill covers it: a server may feed a call by it. Its
 * client is told nothing then, because a status that says so would end the session of some.
 */
export async function serveNotification(
  sent: Sent,
  parts: McpProxyParts,
  { method, document }: RpcNotification,
): Promise<void> {
  const { caller, response } = sent;
  // A request in this form would run without an answer in some servers.
  if (!isNotification(method)) return sendFault(response, NO_ID);
  const { params } = document;
  const scope = scopeOf(caller, isJsonObject(params) ? params : {});
  const deny = killedFault(scope, parts);
  if (deny !== null) parts.reporter.refused("killed", `a notification: ${deny.reason}`);
  const body = deny === null ? sent.bytes : bareForm(method, sent.path);
  if (body === null) return void response.writeHead(202).end();
  // What is left of it under a kill cannot be stopped by one.
  const stoppable = deny === null ? scope : null;
  return serveUnowed(sent, parts, { caller, scope: stoppable, isResumption: false, body, isNotice: true });
}

const NO_ID = {
  status: 400,
  code: INVALID_REQUEST,
  message: "Expected an id: only methods below notifications/ go without one.",
};

/**
 * What goes on under a kill, with nothing of its client's in the body; null: nothing. `initialize` passes
 * under a kill at the endpoint, and a session whose beginning was never confirmed would be useless after it.
 */
function bareForm(method: string, path: PassedPath): Buffer | null {
  if (method !== "notifications/initialized" || path.kind !== "endpoint") return null;
  return Buffer.from(JSON.stringify({ jsonrpc: "2.0", method }));
}
