import { HEADER_MISMATCH, isStateless, METHOD_NOT_FOUND, type RpcRequest } from "@svc/tool-calls/mcp-message";
import { type Treatment, treatmentOf } from "@svc/tool-calls/mcp-methods";
import { refusalData, rpcError } from "@svc/tool-calls/mcp-refusal";
import type { DenyVerdict } from "@svc/contract/verdict";
import { isToolCall } from "@svc/tool-calls/mcp-call";
import { ok } from "@svc/tool-calls/result";
import { answerHook } from "./answer-hooks.ts";
import { approvalName, opensUrls } from "./approval-question.ts";
import { withoutApproval } from "./approval-state.ts";
import type { Caller } from "../headers/caller.ts";
import { readGovernedCall } from "./read-governed-call.ts";
import type { Scope } from "../kills/kill-scopes.ts";
import type { McpProxyParts } from "../mcp-proxy-parts.ts";
import { mirrorFault, paramMirrorFault } from "../headers/mirrored-headers.ts";
import type { AskingCall } from "../memory/open-questions.ts";
import { relayOwed } from "../relay/relay-answer.ts";
import { renderRefusal } from "./render-verdict.ts";
import { killedFault, scopeOf, taskFault } from "../kills/resumption-deny.ts";
import { sendFault, sendMessage } from "./send-message.ts";
import { type Exchange, sendUpstream, whileRunning } from "../upstream/mcp-server.ts";
import { serveCall } from "./serve-call.ts";
import type { ServerAnswer } from "../upstream/server-answer.ts";
import { readTaskUpdate } from "./task-update.ts";
import { type TaskUse, taskUseOf } from "./task-use.ts";

/** A request with an id, who sent it, and its bytes as they came. */
export interface Posted extends Exchange {
  readonly rpc: RpcRequest;
  readonly caller: Caller;
  readonly bytes: Buffer;
}

/** Serves a request by its method: refuses it, judges it, or passes it on. */
export async function serveRequest(posted: Posted, parts: McpProxyParts): Promise<void> {
  const { rpc, caller, request, response } = posted;
  const mismatch = mirrorFault(request, rpc) ?? argumentsFault(posted, parts);
  if (mismatch !== null)
    return sendFault(response, { status: 400, code: HEADER_MISMATCH, message: mismatch, id: rpc.id });
  const treatment = treatmentOf(rpc.method);
  if (treatment === null) return sendUnknown(posted);
  const use = taskUseOf(rpc, caller, parts.tasks);
  if (use.kind === "foreign") return sendForeignTask(posted, parts);
  // What stops a task may always be asked for.
  if (use.kind === "own" && rpc.method !== "tasks/cancel") {
    const deny = taskFault(use.tasks, caller, parts);
    if (deny !== null) return sendMessage(response, renderRefusal(rpc, deny, parts.settings.denyAs));
    if (rpc.method === "tasks/update")
      return serveCall({ ...posted, wasAsked: false }, parts, readTaskUpdate(rpc, use.tasks[0].scope));
  }
  return isGoverned(treatment, parts.settings.strict)
    ? serveGoverned(posted, parts)
    : passRequest(posted, parts, use);
}

function argumentsFault({ rpc, request }: Posted, { mirrors }: McpProxyParts): string | null {
  const { name, arguments: args } = rpc.params;
  if (!isToolCall(rpc) || typeof name !== "string") return null;
  return paramMirrorFault(request, mirrors.of(name), args);
}

/** A call that comes back from our own question is judged as if it came for the first time. */
function serveGoverned(posted: Posted, parts: McpProxyParts): Promise<void> {
  const { settings } = parts;
  const retried =
    settings.approval === "elicit"
      ? withoutApproval(posted.rpc, approvalName(settings))
      : ok({ rpc: posted.rpc, wasAsked: false });
  if (!retried.ok) return serveCall({ ...posted, wasAsked: true }, parts, retried);
  const call = readGovernedCall(retried.value.rpc, posted.caller, settings);
  return serveCall({ ...posted, ...retried.value }, parts, call);
}

function isGoverned(treatment: Treatment, strict: boolean): boolean {
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

/** The stateless era tells an unknown method by the status, too. */
function sendUnknown({ rpc, response }: Posted): void {
  const document = rpcError(rpc.id, METHOD_NOT_FOUND, "Method not found: this proxy does not know it.");
  sendMessage(response, document, isStateless(rpc) ? 404 : 200);
}

/** What MCP answers for a task that there is not: whether another agent has it is not told. */
const INVALID_PARAMS = -32602;

const FOREIGN_TASK: DenyVerdict = {
  decision: "deny",
  reason: "Task not found: this agent began no such task since the proxy started, or long ago.",
  reason_code: "task_unknown",
  args_constrained: false,
  fail_closed: false,
};

function sendForeignTask({ rpc, response }: Posted, { reporter }: McpProxyParts): void {
  reporter.found("task_unknown", `${rpc.method} names a task that its agent did not begin`);
  const data = refusalData(FOREIGN_TASK);
  sendMessage(response, rpcError(rpc.id, INVALID_PARAMS, FOREIGN_TASK.reason, data));
}

/** By what a kill keeps a request from its server, or ends it; null: it makes the server do nothing. */
function stoppableScope({ rpc, caller, path }: Posted, use: TaskUse): Scope | null {
  // The server there may look at the query alone, whatever the message is.
  if (path.kind === "added") return scopeOf(caller, rpc.params);
  // What stops a task may always be asked for.
  if (rpc.method === "tasks/cancel") return null;
  switch (treatmentOf(rpc.method)) {
    case "resume":
      return use.kind === "own" ? use.tasks[0].scope : null;
    case "work":
      return scopeOf(caller, rpc.params);
    case "call":
    case "pass":
    case null:
      return null;
  }
}

/** The call behind a task asks its client on the stream of `tasks/result`. Its arguments are not kept. */
function askingTask({ method }: RpcRequest, use: TaskUse): AskingCall | null {
  return method === "tasks/result" && use.kind === "own" ? { scope: use.tasks[0].scope, args: {} } : null;
}

/** Passes a request on as it came, byte for byte. */
async function passRequest(posted: Posted, parts: McpProxyParts, use: TaskUse): Promise<void> {
  const { rpc, caller, bytes, response } = posted;
  const onAnswer = answerHook(rpc, scopeOf(caller), parts);
  const scope = stoppableScope(posted, use);
  const deny = scope === null ? null : killedFault(scope, parts);
  if (deny !== null) return sendMessage(response, renderRefusal(rpc, deny, parts.settings.denyAs));
  const running = parts.running.start({ scope });
  await whileRunning(running, response, async () => {
    const timeoutMs = parts.settings.upstreamTimeoutMs;
    const answer = await sendUpstream(posted, parts, { running, body: bytes, timeoutMs });
    if (answer.kind === "answer" && rpc.method === "initialize") learnSession(posted, parts, answer.incoming);
    const call = askingTask(rpc, use);
    await relayOwed({ request: rpc, caller, response, running, parts, onAnswer, call }, answer);
  });
}

/** To whom the server gave which session, and what that client can do. */
function learnSession({ caller, rpc }: Posted, { sessions }: McpProxyParts, incoming: ServerAnswer): void {
  const session = incoming.header("mcp-session-id");
  if (session === null || incoming.statusCode !== 200) return;
  sessions.began(session, { agentId: caller.agentId, opensUrls: opensUrls(rpc.params["capabilities"]) });
}
