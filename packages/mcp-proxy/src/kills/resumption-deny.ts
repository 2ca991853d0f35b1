import type { JsonObject } from "@svc/contract/json-value";
import { type DenyVerdict, failClosedDeny } from "@svc/contract/verdict";
import { sessionNames, sessionOfHeaders } from "@svc/tool-calls/mcp-session";
import type { Caller } from "../headers/caller.ts";
import type { Scope } from "./kill-scopes.ts";
import type { McpProxyParts } from "../mcp-proxy-parts.ts";
import { killDeny } from "./running-calls.ts";
import type { NamedTask } from "../calls/task-use.ts";

/** What a switch stops a stream or a request by that is no call: it carries the answers of whatever tools. */
export function scopeOf(caller: Caller, params: JsonObject = {}): Scope {
  const { agentId, namespace } = caller;
  const names = sessionNames(caller, params);
  return { agentId, namespace, sessionId: sessionOfHeaders(caller), sessionNames: names, tool: null };
}

/**
 * Why something new does not begin while a switch covers it; null: it may. A list that is too old stops
 * nothing new.
 */
export function killedFault(scope: Scope, { killState }: McpProxyParts): DenyVerdict | null {
  const state = killState(scope);
  return state.kind === "killed" ? killDeny(state.killSwitchId) : null;
}

/**
 * Why a client may not resume a stream; null: it may. A server finishes a call whose connection was cut, and
 * would hand out its result: closing a connection alone stops nothing.
 */
export function resumptionFault(caller: Caller, parts: McpProxyParts): DenyVerdict | null {
  const wasKilled = parts.sessions.holdsKilledCall(caller);
  return told(wasKilled ? KILLED_CALL : killFault([scopeOf(caller)], parts), parts);
}

/** The same of what calls left running behind tasks. */
export function taskFault(
  tasks: readonly NamedTask[],
  caller: Caller,
  parts: McpProxyParts,
): DenyVerdict | null {
  const wasKilled = tasks.some(({ id }) => parts.tasks.isKilled(caller, id));
  const scopes = [scopeOf(caller), ...tasks.map(({ scope }) => scope)];
  return told(wasKilled ? KILLED_CALL : killFault(scopes, parts), parts);
}

const KILLED_CALL: DenyVerdict = {
  decision: "deny",
  reason:
    "A kill switch ended this call, or would not find it any more: what it left behind, streams and tasks, " +
    "cannot be fetched.",
  reason_code: "kill_switch",
  args_constrained: false,
  fail_closed: false,
};

function killFault(scopes: readonly Scope[], { killState }: McpProxyParts): DenyVerdict | null {
  for (const scope of scopes) {
    const state = killState(scope);
    if (state.kind === "killed") return killDeny(state.killSwitchId);
    if (state.kind === "unverified") return UNVERIFIED;
  }
  return null;
}

const UNVERIFIED = failClosedDeny(
  "control_state_unverified",
  "The gateway's kill switches are not known: nothing can be resumed.",
);

function told(deny: DenyVerdict | null, { reporter }: McpProxyParts): DenyVerdict | null {
  if (deny !== null) reporter.found("resumption_refused", deny.reason);
  return deny;
}
