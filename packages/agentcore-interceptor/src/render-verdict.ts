import { refusalError } from "@svc/contract/mcp-refusal";
import { type AllowVerdict, failClosedDeny, type Verdict } from "@svc/contract/verdict";
import { withArgs } from "@svc/decision-client/mcp-call";
import { answer, forward, type InterceptorOutput } from "./interceptor-output.ts";
import type { PendingCall } from "./parse-interceptor-event.ts";

/** Renders the verdict on a call: the judged or rewritten call for an allow, else an error by its id. */
export function renderVerdict(pending: PendingCall, verdict: Verdict): InterceptorOutput {
  switch (verdict.decision) {
    case "allow":
      return renderAllow(pending, verdict);
    case "pause":
    case "deny":
      return answer(refusalError(pending.request.id, verdict));
  }
}

function renderAllow({ request, call, repeatsArgs }: PendingCall, verdict: AllowVerdict): InterceptorOutput {
  if (!verdict.args_constrained) return forward(withArgs(request, call.args));
  const { shaped_args } = verdict;
  if (shaped_args !== undefined && !repeatsArgs) return forward(withArgs(request, shaped_args));
  const reason =
    "The policy rewrites arguments that Mcp-Param headers repeat, which an interceptor cannot change.";
  return answer(refusalError(request.id, failClosedDeny("shaping_unsupported", reason)));
}
