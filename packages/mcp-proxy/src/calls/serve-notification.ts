import { isJsonObject } from "@svc/text/json-value";
import { INVALID_REQUEST, type RpcNotification } from "@svc/tool-calls/mcp-message";
import { isNotification } from "@svc/tool-calls/mcp-methods";
import { activeKillDeny } from "../kills/kill-deny.ts";
import type { KillStates } from "../kills/kill-state.ts";
import { callerScope } from "../kills/scope.ts";
import type { PassedPath } from "../paths.ts";
import { type PassThroughParts, servePassThrough } from "../relay/pass-through.ts";
import { sendFault } from "./send-message.ts";
import type { SentMessage } from "./sent-message.ts";

/**
 * Passes a notification on, known or unknown, unless a kill switch covers it: a server may feed a
 * running call with it. The client gets 202 in either case, because some clients end their session on
 * an error status.
 */
export async function serveNotification(
  sent: SentMessage,
  parts: PassThroughParts & KillStates,
  { method, document }: RpcNotification,
): Promise<void> {
  const { caller, response } = sent;
  // Some servers execute a request without an id, and do not answer it.
  if (!isNotification(method)) return sendFault(response, NO_ID);
  const { params } = document;
  const scope = callerScope(caller, isJsonObject(params) ? params : {});
  const deny = activeKillDeny(scope, parts);
  const passing = { caller, isResumption: false, isNotice: true };
  if (deny === null) return servePassThrough(sent, parts, { ...passing, scope, body: sent.bytes });
  parts.reporter.refused("killed", `a notification: ${deny.reason}`);
  const body = bareForm(method, sent.path);
  if (body === null) return void response.writeHead(202).end();
  // The switch that covers it would stop it at once.
  return servePassThrough(sent, parts, { ...passing, scope: null, body });
}

const NO_ID = {
  status: 400,
  code: INVALID_REQUEST,
  message: "Expected an id: only methods that begin with notifications/ go without one.",
};

/**
 * What the server gets of a notification under a kill switch, without the client's own content; null:
 * nothing. `initialize` passes at the endpoint under a kill switch, and its session is useless afterwards
 * unless the server also gets `notifications/initialized`.
 */
function bareForm(method: string, path: PassedPath): Buffer | null {
  if (method !== "notifications/initialized" || path.kind !== "endpoint") return null;
  return Buffer.from(JSON.stringify({ jsonrpc: "2.0", method }));
}
