import type { ExecuteRequest } from "@svc/contract/execute-request";
import {
  type AllowVerdict,
  type DenyVerdict,
  type RefusalVerdict,
  shapedArgsOf,
} from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";
import { strictText } from "@svc/text/strict-text";
import { INVALID_REQUEST, type RpcId, type RpcResponse } from "@svc/tool-calls/mcp-message";
import { ok } from "@svc/tool-calls/result";
import { refusalError } from "@svc/tool-calls/rpc-error";
import { activeKillDeny } from "../kills/kill-deny.ts";
import { type RunningCall, whileRunning } from "../kills/running-calls.ts";
import { callerScope } from "../kills/scope.ts";
import type { Judging, Sending } from "../mcp-proxy-parts.ts";
import type { Memory } from "../memory/memory.ts";
import type { Question } from "../memory/open-questions.ts";
import { relayPassThrough, servePassThrough } from "../relay/pass-through.ts";
import { rulingOf } from "../reporter.ts";
import type { Reporting } from "../reporting.ts";
import { barePing, passesUnjudged, questionLabel, readReply, withReply } from "./reply.ts";
import { killedRequest } from "./request-faults.ts";
import { sendFault } from "./send-message.ts";
import type { SentMessage } from "./sent-message.ts";

/** A client's answer to its server, and the question that it answers. */
interface Reply extends SentMessage {
  readonly document: JsonObject;
  readonly id: RpcId;
  readonly question: Question;
}

type ReplyParts = Judging & Memory & Pick<Sending, "server"> & Reporting;

/**
 * Serves a client's answer to a question of its server. The answer feeds a running call like arguments, so it
 * is judged as that call. If it is refused, the server gets an error of ours in its place, so that its call
 * does not wait forever. Under a kill switch the server gets nothing.
 */
export async function serveReply(
  sent: SentMessage,
  parts: ReplyParts,
  { document }: RpcResponse,
): Promise<void> {
  const { caller, response } = sent;
  const { id } = document;
  const question = parts.questions.take(caller, id);
  if (question === null || (typeof id !== "string" && typeof id !== "number")) {
    parts.reporter.refused("reply_unasked", UNASKED.message);
    return sendFault(response, UNASKED);
  }
  const scope = question.call?.scope ?? callerScope(caller);
  const deny = activeKillDeny(callerScope(caller), parts) ?? activeKillDeny(scope, parts);
  if (deny !== null) return sendFault(response, killedRequest("an answer to a server", deny, parts.reporter));
  if (question.method === "ping" || passesUnjudged(question, parts.settings)) {
    const body = question.method === "ping" ? Buffer.from(strictText(barePing(document))) : sent.bytes;
    return servePassThrough(sent, parts, { caller, scope, isResumption: false, body, isNotice: false });
  }
  const reply = { ...sent, document, id, question };
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
  parts: ReplyParts,
  { call, running }: { readonly call: ExecuteRequest; readonly running: RunningCall },
): Promise<void> {
  const { traceparent } = reply.caller;
  const label = questionLabel(reply.question);
  const verdict = await parts.judge.verdictOn(call, { label, running, traceparent });
  if (verdict.decision !== "allow")
    return sendRefusal(reply, parts, { refusal: running.stopped() ?? verdict, running });
  const report = parts.judge.beginOutcome(verdict.decision_id);
  const stopped = running.stopped();
  const forwarded = stopped === null ? allowedReply(reply, verdict) : { ok: false as const, deny: stopped };
  if (!forwarded.ok) {
    report("not_executed");
    return sendRefusal(reply, parts, { refusal: forwarded.deny, running });
  }
  const outcome = await send(reply, parts, { document: forwarded.value, running });
  if (outcome !== null) report(outcome);
}

/** The client's answer, with what the policy made of it. */
function allowedReply({ question, document }: Reply, allow: AllowVerdict): ReturnType<typeof withReply> {
  const shaped = shapedArgsOf(allow);
  return shaped === null ? ok(document) : withReply(question, document, shaped);
}

/** Tells the server that it gets no answer. A kill switch keeps even that from it. */
async function sendRefusal(
  reply: Reply,
  parts: ReplyParts,
  { refusal, running }: { readonly refusal: RefusalVerdict; readonly running: RunningCall },
): Promise<void> {
  parts.reporter.refusedCall(questionLabel(reply.question), refusal);
  if (isKill(refusal))
    return sendFault(reply.response, killedRequest("an answer to a server", refusal, parts.reporter));
  const document = refusalError(reply.id, refusal) as unknown as JsonObject;
  await send(reply, parts, { document, running });
}

function isKill(refusal: RefusalVerdict): refusal is DenyVerdict {
  return refusal.decision === "deny" && refusal.reason_code === "kill_switch";
}

function send(
  reply: Reply,
  parts: ReplyParts,
  { document, running }: { readonly document: JsonObject; readonly running: RunningCall },
): ReturnType<typeof relayPassThrough> {
  const body = Buffer.from(strictText(document));
  const { caller } = reply;
  return relayPassThrough(reply, parts, {
    caller,
    scope: null,
    isResumption: false,
    body,
    isNotice: false,
    running,
  });
}
