import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { DenyVerdict } from "@svc/contract/verdict";
import { isToolCall } from "@svc/tool-calls/mcp-call";
import { HEADER_MISMATCH, isStateless, METHOD_NOT_FOUND, type RpcRequest } from "@svc/tool-calls/mcp-message";
import { type MethodTreatment, treatmentOf } from "@svc/tool-calls/mcp-methods";
import { ok, type Result } from "@svc/tool-calls/result";
import { refusalData, rpcError } from "@svc/tool-calls/rpc-error";
import { mirrorFault, paramMirrorFault } from "../headers/mirror-fault.ts";
import { activeKillDeny } from "../kills/kill-deny.ts";
import type { KillStates } from "../kills/kill-state.ts";
import { taskResumptionDeny } from "../kills/resumption-deny.ts";
import { callerScope, type Scope } from "../kills/scope.ts";
import type { Memory } from "../memory/memory.ts";
import type { AskingCall } from "../memory/open-questions.ts";
import { type TaskUse, taskUseOf } from "../memory/task-use.ts";
import type { Reporting } from "../reporting.ts";
import { approvalName } from "./approval-question.ts";
import { type Retried, withoutApproval } from "./approval-state.ts";
import { readGovernedCall } from "./read-governed-call.ts";
import { renderRefusal } from "./render-verdict.ts";
import type { SentRequest } from "./sent-message.ts";
import { readTaskUpdate } from "./task-update.ts";

/** What becomes of a request before anybody is asked about it. */
export type Route =
  /** The proxy answers it itself. */
  | { readonly kind: "answered"; readonly document: object; readonly status: number }
  /** The gateway judges it. A call that cannot be read is denied. */
  | ({ readonly kind: "judged"; readonly call: Result<ExecuteRequest> } & Retried)
  /**
   * It passes without a verdict. `scope`: where a kill switch ends it. `call`: whose questions it carries.
   */
  | { readonly kind: "passed"; readonly scope: Scope | null; readonly call: AskingCall | null };

export type RouteParts = Reporting & KillStates & Pick<Memory, "mirrors" | "sessions" | "tasks">;

/** Finds the route of a request by its headers, its method, and the tasks that it names. */
export function routeRequest(sent: SentRequest, parts: RouteParts): Route {
  const { rpc, caller, request } = sent;
  const mismatch = mirrorFault(request, rpc) ?? argumentsFault(sent, parts);
  if (mismatch !== null) return answered(rpcError(rpc.id, HEADER_MISMATCH, mismatch), 400);
  const treatment = treatmentOf(rpc.method);
  if (treatment === null) return unknownMethod(rpc);
  const use = taskUseOf(rpc, caller, parts.tasks);
  if (use.kind === "foreign") return foreignTask(rpc, parts);
  // A request that stops a task is never refused.
  if (use.kind === "own" && rpc.method !== "tasks/cancel") {
    const deny = taskResumptionDeny(use, caller, parts);
    if (deny !== null) return denied(rpc, deny, parts);
    if (rpc.method === "tasks/update")
      return { kind: "judged", call: readTaskUpdate(rpc, use.tasks[0].scope), rpc, wasAsked: false };
  }
  if (isGoverned(treatment, parts.settings.strict)) return judgedRoute(sent, parts);
  const scope = passedScope(sent, treatment, use);
  const deny = scope === null ? null : activeKillDeny(scope, parts);
  return deny === null ? { kind: "passed", scope, call: askingTask(rpc, use) } : denied(rpc, deny, parts);
}

function argumentsFault({ rpc, request }: SentRequest, { mirrors }: Pick<Memory, "mirrors">): string | null {
  const { name, arguments: args } = rpc.params;
  if (!isToolCall(rpc) || typeof name !== "string") return null;
  return paramMirrorFault(request, mirrors.of(name), args);
}

/** The answer to the proxy's own approval question is taken out: the call is judged as if it came first. */
function judgedRoute({ rpc, caller }: SentRequest, { settings }: Pick<Reporting, "settings">): Route {
  const isOff = settings.approval === "off";
  const retried = isOff ? ok({ rpc, wasAsked: false }) : withoutApproval(rpc, approvalName(settings));
  if (!retried.ok) return { kind: "judged", call: retried, rpc, wasAsked: true };
  const call = readGovernedCall(retried.value.rpc, caller, settings);
  return { kind: "judged", call, ...retried.value };
}

function isGoverned(treatment: MethodTreatment, strict: boolean): boolean {
  switch (treatment) {
    case "call":
      return true;
    case "work":
    case "resume":
      return strict;
    case "pass":
      return false;
  }
}

/** The scope in which a kill switch refuses or ends a request without a verdict; null: none does. */
function passedScope(
  { rpc, caller, path }: SentRequest,
  treatment: MethodTreatment,
  use: TaskUse,
): Scope | null {
  // The server may look at the query of an added path alone, whatever the message is.
  if (path.kind === "added") return callerScope(caller, rpc.params);
  // A request that stops a task is never refused.
  if (rpc.method === "tasks/cancel") return null;
  switch (treatment) {
    case "resume":
      return use.kind === "own" ? use.tasks[0].scope : null;
    case "work":
      return callerScope(caller, rpc.params);
    case "call":
    case "pass":
      return null;
  }
}

/** The call behind a task asks its client on the stream of `tasks/result`. Its arguments are not kept. */
function askingTask({ method }: RpcRequest, use: TaskUse): AskingCall | null {
  return method === "tasks/result" && use.kind === "own" ? { scope: use.tasks[0].scope, args: {} } : null;
}

/** From revision 2026-07-28 on the status too says that a method is unknown. */
function unknownMethod(rpc: RpcRequest): Route {
  const document = rpcError(rpc.id, METHOD_NOT_FOUND, "Method not found: this proxy does not know it.");
  return answered(document, isStateless(rpc) ? 404 : 200);
}

/** MCP's code for a task that does not exist. The answer does not say whether another agent has it. */
const INVALID_PARAMS = -32602;

const FOREIGN_TASK: DenyVerdict = {
  decision: "deny",
  reason: "Task not found: this agent began no such task since the proxy started, or long ago.",
  reason_code: "task_unknown",
  args_constrained: false,
  fail_closed: false,
};

function foreignTask(rpc: RpcRequest, { reporter }: Pick<Reporting, "reporter">): Route {
  reporter.found("task_unknown", `${rpc.method} names a task that its agent did not begin`);
  const data = refusalData(FOREIGN_TASK);
  return answered(rpcError(rpc.id, INVALID_PARAMS, FOREIGN_TASK.reason, data), 200);
}

function denied(rpc: RpcRequest, deny: DenyVerdict, { settings }: Pick<Reporting, "settings">): Route {
  return answered(renderRefusal(rpc, deny, settings.denyAs), 200);
}

function answered(document: object, status: number): Route {
  return { kind: "answered", document, status };
}
