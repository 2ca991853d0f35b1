import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { DenyVerdict } from "@svc/contract/verdict";
import { isToolCall } from "@svc/tool-calls/mcp-call";
import type { RpcRequest } from "@svc/tool-calls/mcp-message";
import type { Result } from "@svc/tool-calls/result";
import { activeKillDeny } from "../kills/kill-deny.ts";
import type { KillStates } from "../kills/kill-state.ts";
import { sessionScope } from "../kills/scope.ts";
import { MAX_PINNED_TOOLS } from "../limits.ts";
import type { Memory } from "../memory/memory.ts";
import type { Reporting } from "../reporting.ts";

/**
 * The call, unless the proxy itself denies it: its tool is not what it was at first, or it names a killed
 * session beside the one that the gateway judges it in.
 * @param names every name that the request gives its session
 */
export function admitCall(
  { rpc, call }: { readonly rpc: RpcRequest; readonly call: Result<ExecuteRequest> },
  names: readonly string[],
  parts: Pick<Reporting, "settings"> & KillStates & Pick<Memory, "pins">,
): Result<ExecuteRequest> {
  if (!call.ok) return call;
  const deny = changedToolDeny(rpc, parts) ?? otherSessionsDeny(call.value, names, parts);
  return deny === null ? call : { ok: false, deny };
}

function otherSessionsDeny(
  { session_id: judgedIn }: ExecuteRequest,
  names: readonly string[],
  kills: KillStates,
): DenyVerdict | null {
  const others = names.filter((name) => name !== judgedIn);
  return others.length === 0 ? null : activeKillDeny(sessionScope(others), kills);
}

function changedToolDeny(
  rpc: RpcRequest,
  { pins, settings }: Pick<Reporting, "settings"> & Pick<Memory, "pins">,
): DenyVerdict | null {
  const { name } = rpc.params;
  const isPinnable = settings.toolPinning === "deny" && isToolCall(rpc) && typeof name === "string";
  if (!isPinnable || !pins.isChanged(name)) return null;
  return pins.isPinned(name) ? CHANGED_TOOL : TOO_MANY_TOOLS;
}

const CHANGED_TOOL: DenyVerdict = {
  decision: "deny",
  reason: "The server changed the definition of this tool. An operator has to accept the new one.",
  reason_code: "tool_changed",
  args_constrained: false,
  fail_closed: false,
};

const TOO_MANY_TOOLS: DenyVerdict = {
  ...CHANGED_TOOL,
  reason:
    `The server listed more than ${String(MAX_PINNED_TOOLS)} tools, ` +
    "so the proxy cannot see whether this one changed.",
};
