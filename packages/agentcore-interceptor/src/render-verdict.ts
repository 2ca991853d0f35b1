import { type AllowVerdict, failClosedDeny, shapedArgsOf, type Verdict } from "@svc/contract/verdict";
import { refusalError } from "@svc/tool-calls/rpc-error";
import { answer, forward, type InterceptorOutput } from "./interceptor-output.ts";
import type { InterceptedCall } from "./parse-interceptor-event.ts";

/** Renders the verdict on a call: the judged or rewritten call for an allow, else an error by its id. */
export function renderVerdict(pending: InterceptedCall, verdict: Verdict): InterceptorOutput {
  switch (verdict.decision) {
    case "allow":
      return renderAllow(pending, verdict);
    case "pause":
    case "deny":
      return answer(refusalError(pending.id, verdict));
  }
}

function renderAllow(pending: InterceptedCall, allow: AllowVerdict): InterceptorOutput {
  const { id, call, repeatsArgs, withArgs } = pending;
  const shaped = shapedArgsOf(allow);
  if (shaped !== null && repeatsArgs)
    return answer(refusalError(id, failClosedDeny("shaping_unsupported", NOT_REWRITTEN)));
  const document = withArgs(shaped ?? call.args);
  return document.ok ? forward(document.value) : answer(refusalError(id, document.deny));
}

const NOT_REWRITTEN =
  "The policy rewrites arguments that Mcp-Param headers repeat, which an interceptor cannot change.";
