import { canonicalJson } from "@svc/contract/canonical-json";
import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { JsonObject } from "@svc/contract/json-value";
import type { RpcRequest } from "@svc/tool-calls/mcp-message";
import type { Refusal } from "@svc/tool-calls/mcp-refusal";
import type { OutcomeStatus } from "@svc/contract/outcome";
import {
  type AllowVerdict,
  type DenyVerdict,
  failClosedDeny,
  type PauseVerdict,
  shapedArgsOf,
} from "@svc/contract/verdict";
import { isToolCall, withArgs } from "@svc/tool-calls/mcp-call";
import { sessionNames } from "@svc/tool-calls/mcp-session";
import { ok, type Result } from "@svc/tool-calls/result";
import { answerHook } from "./answer-hooks.ts";
import { agreedOnUrls, approvalName, approvalQuestion } from "./approval-question.ts";
import type { Caller, RawHeaders } from "../headers/caller.ts";
import { isRecord } from "../relay/is-record.ts";
import { type Scope, sessionsAlone } from "../kills/kill-scopes.ts";
import { MAX_PINNED_TOOLS } from "../limits.ts";
import type { McpProxyParts } from "../mcp-proxy-parts.ts";
import { followArgs } from "../headers/mirrored-headers.ts";
import { type Ending, relayOwed } from "../relay/relay-answer.ts";
import { renderRefusal } from "./render-verdict.ts";
import { rulingOf } from "../reporter.ts";
import { killedFault } from "../kills/resumption-deny.ts";
import type { RunningCall } from "../kills/running-calls.ts";
import { sendMessage } from "./send-message.ts";
import { type Exchange, sendUpstream, whileRunning } from "../upstream/mcp-server.ts";
import { withInputs } from "./task-update.ts";
import { taskIdOf } from "../memory/tasks.ts";

/** A request that is judged, with who sent it and how it came. */
export interface Judged extends Exchange {
  readonly rpc: RpcRequest;
  readonly caller: Caller;
  /** Whether its client's user was asked for an approval already: asking again would go in a circle. */
  readonly wasAsked: boolean;
}

/** Judges a call and lets it run, or says why not. Nothing of it reaches the server before an allow. */
export async function serveCall(
  judged: Judged,
  parts: McpProxyParts,
  called: Result<ExecuteRequest>,
): Promise<void> {
  const { rpc, caller, response } = judged;
  const names = sessionNames(caller, rpc.params);
  const call = called.ok ? alive(names, parts, pinned(rpc, parts, called)) : called;
  if (!call.ok) {
    parts.reporter.ruled(rpc.method, rulingOf(call.deny));
    return refuse(judged, parts, call.deny);
  }
  const { agent_id: agentId, namespace, session_id: sessionId, tool } = call.value;
  const scope = { agentId, namespace, sessionId, sessionNames: names, tool };
  const running = parts.running.start({ scope, onBarred: () => parts.sessions.callKilled(caller) });
  await whileRunning(running, response, () =>
    judgeAndRun(judged, parts, { call: call.value, scope, running }),
  );
}

/** The call, unless a session is killed that it names beside the one that the gateway judges it in. */
function alive(
  names: readonly string[],
  parts: McpProxyParts,
  call: Result<ExecuteRequest>,
): Result<ExecuteRequest> {
  if (!call.ok) return call;
  const others = names.filter((name) => name !== call.value.session_id);
  const deny = others.length === 0 ? null : killedFault(sessionsAlone(others), parts);
  return deny === null ? call : { ok: false, deny };
}

/** The call, unless its tool is no more what it was when it was seen first. */
function pinned(
  rpc: RpcRequest,
  { pins, settings }: McpProxyParts,
  call: Result<ExecuteRequest>,
): Result<ExecuteRequest> {
  const { name } = rpc.params;
  const isTool = settings.toolPinning === "deny" && isToolCall(rpc) && typeof name === "string";
  if (!isTool || !pins.isChanged(name)) return call;
  return { ok: false, deny: pins.isPinned(name) ? CHANGED_TOOL : NO_ROOM };
}

const CHANGED_TOOL: DenyVerdict = {
  decision: "deny",
  reason: "The server tells another definition of this tool than at first. Its operator has to accept it.",
  reason_code: "tool_changed",
  args_constrained: false,
  fail_closed: false,
};

const NO_ROOM: DenyVerdict = {
  ...CHANGED_TOOL,
  reason: `The server told of ${String(MAX_PINNED_TOOLS)} other tools: this one could change unseen.`,
};

interface Started {
  readonly call: ExecuteRequest;
  readonly scope: Scope;
  readonly running: RunningCall;
}

async function judgeAndRun(
  judged: Judged,
  parts: McpProxyParts,
  { call, scope, running }: Started,
): Promise<void> {
  const verdict = await parts.decide(call, { signal: running.signal });
  parts.reporter.ruled(judged.rpc.method, rulingOf(verdict));
  if (verdict.decision === "deny" && verdict.kill_switch_id !== undefined)
    parts.killHeardOf(verdict.kill_switch_id);
  const stopped = running.stopped();
  if (verdict.decision !== "allow") return refuse(judged, parts, stopped ?? verdict);
  const forwarded = renderAllowed(judged, parts, verdict);
  const startedMs = parts.monotonicMs();
  const report = (status: OutcomeStatus): void => {
    const durationMs = parts.monotonicMs() - startedMs;
    parts.reports.report({ decisionId: verdict.decision_id, status, durationMs });
  };
  if (!forwarded.ok || running.signal.aborted) {
    report("not_executed");
    const gone = failClosedDeny("internal_error", "The client went away before the call ran.");
    return refuse(judged, parts, stopped ?? (forwarded.ok ? gone : forwarded.deny));
  }
  const ending = await run(judged, parts, { ...forwarded.value, call, scope, running });
  const outcome = outcomeOf(ending);
  if (outcome !== null) report(outcome);
}

interface Forwarded {
  readonly body: Buffer;
  readonly headers: RawHeaders;
}

/** The call as the server gets it: always written anew, so that what was judged is what arrives. */
function renderAllowed(
  { rpc, request }: Judged,
  { mirrors }: McpProxyParts,
  allow: AllowVerdict,
): Result<Forwarded> {
  const shaped = shapedArgsOf(allow);
  const document = shaped === null ? rpc.document : rewritten(rpc, shaped);
  const body = Buffer.from(canonicalJson(document), "utf8");
  const { name } = rpc.params;
  if (shaped === null || !isToolCall(rpc) || typeof name !== "string") return ok({ body, headers: request });
  const followed = followArgs(request, mirrors.of(name), shaped);
  return followed.ok ? ok({ body, headers: { rawHeaders: followed.value } }) : followed;
}

function rewritten(rpc: RpcRequest, shaped: JsonObject): JsonObject {
  return rpc.method === "tasks/update" ? withInputs(rpc, shaped) : withArgs(rpc, shaped);
}

async function run(judged: Judged, parts: McpProxyParts, forwarded: Forwarded & Started): Promise<Ending> {
  const { rpc, caller, response } = judged;
  const { running } = forwarded;
  const timeoutMs = parts.settings.upstreamTimeoutMs;
  const onAnswer = answerHook(rpc, forwarded.scope, parts);
  const answer = await sendUpstream(judged, parts, { ...forwarded, timeoutMs });
  const call = { scope: forwarded.scope, args: forwarded.call.args };
  return relayOwed({ request: rpc, caller, response, running, parts, onAnswer, call }, answer);
}

/** Null: it cannot be told, and the decision stays without an outcome. */
function outcomeOf(ending: Ending): OutcomeStatus | null {
  switch (ending.kind) {
    case "answered":
      return outcomeOfAnswer(ending.answer["result"]);
    case "not_executed":
      return "not_executed";
    case "refused":
      return "failed";
    case "stopped":
      return "revoked";
    case "unknown":
      return null;
  }
}

function outcomeOfAnswer(result: unknown): OutcomeStatus | null {
  if (!isRecord(result) || result["isError"] === true) return "failed";
  // The server waits for input, or works on behind a task: neither is an end.
  const isOpen = result["resultType"] === "input_required" || taskIdOf(result) !== null;
  return isOpen ? null : "succeeded";
}

function refuse(judged: Judged, parts: McpProxyParts, refusal: Refusal): void {
  const { rpc, response } = judged;
  const { decision, reason_code, decision_id } = refusal;
  parts.logger.debug({ decision, reason_code, decision_id, method: rpc.method }, "a call does not run");
  const question = decision === "pause" ? questionFor(judged, parts, refusal) : null;
  sendMessage(response, question ?? renderRefusal(rpc, refusal, parts.settings.denyAs));
}

function questionFor(
  { request, rpc, caller, wasAsked }: Judged,
  { settings, sessions }: McpProxyParts,
  pause: PauseVerdict,
): JsonObject | null {
  if (settings.approval === "off" || wasAsked) return null;
  const sessionOpensUrls = sessions.opensUrls(caller) && agreedOnUrls(request);
  return approvalQuestion({ request: rpc, pause, name: approvalName(settings), sessionOpensUrls });
}
