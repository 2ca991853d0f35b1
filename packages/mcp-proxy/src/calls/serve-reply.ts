import { canonicalJson } from "@svc/contract/canonical-json";
import type { ExecuteRequest } from "@svc/contract/execute-request";
import type { JsonObject } from "@svc/contract/json-value";
import { INVALID_REQUEST, type RpcId, type RpcResponse } from "@svc/tool-calls/mcp-message";
import { type Refusal, refusalError } from "@svc/tool-calls/mcp-refusal";
import { type DenyVerdict, shapedArgsOf } from "@svc/contract/verdict";
import type { McpProxyParts } from "../mcp-proxy-parts.ts";
import type { Question } from "../memory/open-questions.ts";
import { barePing, passesUnjudged, questionLabel, readReply, withReply } from "./reply.ts";
import { rulingOf } from "../reporter.ts";
import { killedRequest } from "./request-faults.ts";
import { killedFault, scopeOf } from "../kills/resumption-deny.ts";
import type { RunningCall } from "../kills/running-calls.ts";
import { sendFault } from "./send-message.ts";
import { whileRunning } from "../upstream/mcp-server.ts";
import type { Sent } from "./serve-notification.ts";
import { passOn, serveUnowed } from "../relay/pass-through.ts";

/** An answer of a client, and the question of its server that it answers. */
interface Reply extends Sent {
  readonly document: JsonObject;
  readonly id: RpcId;
  readonly question: Question;
}

/**
 * Serves the answer of a client to a question of its server: it feeds a running call like arguments, and is
 * judged as that call. When it is refused, the server gets an error of ours in its place, because its call
 * would wait for ever; under a kill it gets nothing.
 */
export async function serveReply(sent: Sent, parts: McpProxyParts, { document }: RpcResponse): Promise<void> {
  const { caller, response } = sent;
  const { id } = document;
  const question = parts.questions.take(caller, id);
  if (question === null || (typeof id !== "string" && typeof id !== "number")) {
    parts.reporter.refused("reply_unasked", UNASKED.message);
    return sendFault(response, UNASKED);
  }
  const scope = question.call?.scope ?? scopeOf(caller);
  const deny = killedFault(scopeOf(caller), parts) ?? killedFault(scope, parts);
  if (deny !== null) return sendFault(response, killedRequest("an answer to a server", deny, parts));
  const reply = { ...sent, document, id, question };
  if (question.method === "ping" || passesUnjudged(question, parts.settings)) {
    const body = question.method === "ping" ? Buffer.from(canonicalJson(barePing(document))) : sent.bytes;
    return serveUnowed(sent, parts, { caller, scope, isResumption: false, body, isNotice: false });
  }
  const call = readReply(question, document, caller, parts.settings);
  if (!call.ok) parts.reporter.ruled(questionLabel(question), rulingOf(call.deny));
  const running = parts.running.start({ scope });
  return whileRunning(running, response, () =>
    call.ok
      ? judgeReply(reply, parts, { call: call.value, running })
      : sendRefusal(reply, parts, { refusal: call.deny, running }),
  );
}

const UNASKED = {
  status: 400,
  code: INVALID_REQUEST,
  message:
    "Expected the answer to a question that the server asked on a stream of this session and agent since " +
    "the proxy started. Each question takes one answer.",
};

async function judgeReply(
  reply: Reply,
  parts: McpProxyParts,
  { call, running }: { readonly call: ExecuteRequest; readonly running: RunningCall },
): Promise<void> {
  const verdict = await parts.decide(call, { signal: running.signal });
  parts.reporter.ruled(questionLabel(reply.question), rulingOf(verdict));
  const stopped = running.stopped();
  if (verdict.decision !== "allow")
    return sendRefusal(reply, parts, { refusal: stopped ?? verdict, running });
  const { decision_id: decisionId } = verdict;
  const shaped = shapedArgsOf(verdict);
  const forwarded = shaped === null ? null : withReply(reply.question, reply.document, shaped);
  if (stopped !== null || forwarded?.ok === false) {
    parts.reports.report({ decisionId, status: "not_executed", durationMs: 0 });
    const refusal = stopped ?? (forwarded?.ok === false ? forwarded.deny : null);
    if (refusal !== null) return sendRefusal(reply, parts, { refusal, running });
  }
  const document = forwarded?.ok === true ? forwarded.value : reply.document;
  const startedMs = parts.monotonicMs();
  const status = await send(reply, parts, { document, running });
  const durationMs = parts.monotonicMs() - startedMs;
  if (status !== null) parts.reports.report({ decisionId, status, durationMs });
}

/** Tells the server that there is no answer, unless a kill stopped it. */
async function sendRefusal(
  reply: Reply,
  parts: McpProxyParts,
  { refusal, running }: { readonly refusal: Refusal; readonly running: RunningCall },
): Promise<void> {
  const { reason_code, decision_id } = refusal;
  parts.logger.debug({ reason_code, decision_id }, "the answer of a client to its server does not go on");
  if (isKill(refusal))
    return sendFault(reply.response, killedRequest("an answer to a server", refusal, parts));
  const document = refusalError(reply.id, refusal) as unknown as JsonObject;
  await send(reply, parts, { document, running });
}

function isKill(refusal: Refusal): refusal is DenyVerdict {
  return refusal.decision === "deny" && refusal.reason_code === "kill_switch";
}

function send(
  reply: Reply,
  parts: McpProxyParts,
  { document, running }: { readonly document: JsonObject; readonly running: RunningCall },
): ReturnType<typeof passOn> {
  const body = Buffer.from(canonicalJson(document));
  const { caller } = reply;
  return passOn(reply, parts, { caller, scope: null, isResumption: false, body, isNotice: false, running });
}
