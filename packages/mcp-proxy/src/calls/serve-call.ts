import type { ExecuteRequest } from "@svc/contract/execute-request";
import { type AllowVerdict, failClosedDeny, type RefusalVerdict } from "@svc/contract/verdict";
import { sessionNames } from "@svc/tool-calls/mcp-session";
import type { Result } from "@svc/tool-calls/result";
import { callTrace } from "../headers/call-trace.ts";
import { type RunningCall, whileRunning } from "../kills/running-calls.ts";
import type { Scope } from "../kills/scope.ts";
import type { Judging, Sending } from "../mcp-proxy-parts.ts";
import type { Memory } from "../memory/memory.ts";
import { relayAnswer } from "../relay/relay-answer.ts";
import { rulingOf } from "../reporter.ts";
import type { Reporting } from "../reporting.ts";
import { admitCall } from "./admit-call.ts";
import { answerHook } from "./answer-hooks.ts";
import { agreedOnUrls, approvalName, approvalQuestion } from "./approval-question.ts";
import { outcomeOf } from "./outcome-of.ts";
import { renderForwarded } from "./render-forwarded.ts";
import { renderRefusal } from "./render-verdict.ts";
import { sendMessage } from "./send-message.ts";
import type { SentRequest } from "./sent-message.ts";

/** A request that the gateway judges. */
export interface JudgedRequest extends SentRequest {
  readonly call: Result<ExecuteRequest>;
  /** Whether the client's user was asked for an approval already. Asking again would go in a circle. */
  readonly wasAsked: boolean;
}

export type CallParts = Judging & Memory & Pick<Sending, "server"> & Reporting;

/** Has a call judged and executed, or says why not. Nothing of it reaches the server before an allow. */
export async function serveCall(judged: JudgedRequest, parts: CallParts): Promise<void> {
  const { rpc, caller, response } = judged;
  const names = sessionNames(caller, rpc.params);
  const call = admitCall(judged, names, parts);
  if (!call.ok) {
    parts.reporter.ruled(rpc.method, rulingOf(call.deny));
    return refuse(judged, parts, call.deny);
  }
  const { agent_id: agentId, namespace, session_id: sessionId, tool } = call.value;
  const scope = { agentId, namespace, sessionId, sessionNames: names, tool };
  const running = parts.running.start({ scope, onBarred: () => parts.sessions.callKilled(caller) });
  await whileRunning(running, response, async () => {
    const traceparent = callTrace(caller, rpc.params);
    const verdict = await parts.judge.verdictOn(call.value, { label: rpc.method, running, traceparent });
    if (verdict.decision === "allow")
      await execute(judged, parts, { call: call.value, scope, running, verdict });
    else refuse(judged, parts, running.stopped() ?? verdict);
  });
}

interface AllowedCall {
  readonly call: ExecuteRequest;
  readonly scope: Scope;
  readonly running: RunningCall;
  readonly verdict: AllowVerdict;
}

/** Sends an allowed call to the server, passes the answer on, and reports the outcome to the gateway. */
async function execute(
  judged: JudgedRequest,
  parts: CallParts,
  { call, scope, running, verdict }: AllowedCall,
): Promise<void> {
  const { rpc: request, caller, response } = judged;
  const report = parts.judge.beginOutcome(verdict.decision_id);
  const forwarded = renderForwarded(judged, parts, verdict);
  if (!forwarded.ok || running.signal.aborted) {
    report("not_executed");
    const deny = running.stopped() ?? (forwarded.ok ? CLIENT_GONE : forwarded.deny);
    return refuse(judged, parts, deny);
  }
  const onAnswer = answerHook(request, scope, parts);
  const timeoutMs = parts.settings.upstreamTimeoutMs;
  const answer = await parts.server.send(judged, { ...forwarded.value, running, timeoutMs });
  const asking = { scope, args: call.args };
  const pending = { request, caller, response, running, onAnswer, call: asking };
  const outcome = outcomeOf(await relayAnswer(pending, parts, answer));
  if (outcome !== null) report(outcome);
}

const CLIENT_GONE = failClosedDeny("internal_error", "The client went away before the call ran.");

/**
 * Answers with the refusal. A pause becomes a question to the client's user, where the client can ask one.
 */
function refuse(
  { request, rpc, caller, response, wasAsked }: JudgedRequest,
  { settings, reporter, sessions }: Reporting & Pick<Memory, "sessions">,
  refusal: RefusalVerdict,
): void {
  reporter.refusedCall(rpc.method, refusal);
  const canAsk = settings.approval === "elicit" && !wasAsked;
  const question =
    refusal.decision === "pause" && canAsk
      ? approvalQuestion({
          request: rpc,
          pause: refusal,
          name: approvalName(settings),
          sessionOpensUrls: sessions.opensUrls(caller) && agreedOnUrls(request),
        })
      : null;
  sendMessage(response, question ?? renderRefusal(rpc, refusal, settings.denyAs));
}
