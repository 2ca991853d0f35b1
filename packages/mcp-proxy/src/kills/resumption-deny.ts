import { type DenyVerdict, failClosedDeny } from "@svc/contract/verdict";
import type { Caller } from "../headers/caller.ts";
import type { Memory } from "../memory/memory.ts";
import type { TaskUse } from "../memory/task-use.ts";
import type { McpProxyReporter } from "../reporter.ts";
import { killDeny } from "./kill-deny.ts";
import type { KillStates } from "./kill-state.ts";
import { callerScope, type Scope } from "./scope.ts";

interface ResumptionParts extends KillStates, Pick<Memory, "sessions" | "tasks"> {
  readonly reporter: Pick<McpProxyReporter, "found">;
}

/**
 * Why a client may not resume a stream; null when it may. A server finishes a call whose connection was cut,
 * and would hand out its result on a resumed stream, so closing the connection alone stops nothing.
 */
export function streamResumptionDeny(caller: Caller, parts: ResumptionParts): DenyVerdict | null {
  const wasKilled = parts.sessions.holdsKilledCall(caller);
  return reported(wasKilled ? KILLED_CALL : scopesDeny([callerScope(caller)], parts), parts);
}

/** Why a client may not ask for its tasks; null when it may. A task holds the result of its call. */
export function taskResumptionDeny(
  { tasks }: Extract<TaskUse, { readonly kind: "own" }>,
  caller: Caller,
  parts: ResumptionParts,
): DenyVerdict | null {
  const wasKilled = tasks.some(({ id }) => parts.tasks.isKilled(caller, id));
  const scopes = [callerScope(caller), ...tasks.map(({ scope }) => scope)];
  return reported(wasKilled ? KILLED_CALL : scopesDeny(scopes, parts), parts);
}

const KILLED_CALL: DenyVerdict = {
  decision: "deny",
  reason:
    "A kill switch ended this call, or the proxy can no longer tell whether one covers it. Its streams and " +
    "tasks cannot be fetched.",
  reason_code: "kill_switch",
  args_constrained: false,
  fail_closed: false,
};

function scopesDeny(scopes: readonly Scope[], { killState }: KillStates): DenyVerdict | null {
  for (const scope of scopes) {
    const state = killState(scope);
    if (state.kind === "killed") return killDeny(state.killSwitchId);
    if (state.kind === "unverified") return UNVERIFIED;
  }
  return null;
}

const UNVERIFIED = failClosedDeny(
  "control_state_unverified",
  "The proxy's list of kill switches is too old, so nothing can be resumed.",
);

function reported(deny: DenyVerdict | null, { reporter }: ResumptionParts): DenyVerdict | null {
  if (deny !== null) reporter.found("resumption_refused", deny.reason);
  return deny;
}
