import { type DenyVerdict, failClosedDeny } from "@svc/contract/verdict";
import { sessionOfHeaders } from "@svc/decision-client/mcp-session";
import type { Caller } from "./caller.ts";
import type { Scope } from "./kill-scopes.ts";
import type { McpProxyParts } from "./mcp-proxy-parts.ts";
import { killed } from "./running.ts";

/** What a switch stops a resumed stream by: it carries the answers of whatever tools. */
export function scopeOf(caller: Caller): Scope {
  const { agentId, namespace } = caller;
  return { agentId, namespace, sessionId: sessionOfHeaders(caller), tool: null };
}

/**
 * Why a client may not fetch what a call left running; null: it may. A server finishes a call whose
 * connection was cut, and would hand out its result: closing a connection alone stops nothing.
 */
export function resumptionFault(caller: Caller, parts: McpProxyParts): DenyVerdict | null {
  const deny = denyOf(caller, parts);
  if (deny !== null) parts.reporter.found("resumption_refused", deny.reason);
  return deny;
}

function denyOf(caller: Caller, { killState, sessions }: McpProxyParts): DenyVerdict | null {
  if (sessions.holdsKilledCall(caller)) {
    const reason = "A call of this session was killed: its streams and tasks cannot be resumed.";
    return {
      decision: "deny",
      reason,
      reason_code: "kill_switch",
      args_constrained: false,
      fail_closed: false,
    };
  }
  const state = killState(scopeOf(caller));
  switch (state.kind) {
    case "clear":
      return null;
    case "killed":
      return killed(state.killSwitchId);
    case "unverified":
      return failClosedDeny(
        "control_state_unverified",
        "The gateway's kill switches are not known: nothing can be resumed.",
      );
  }
}
