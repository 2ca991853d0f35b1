import { type DenyVerdict, failClosedDeny, type Verdict } from "@svc/contract/verdict";
import { headerText, headerUrl } from "./header-text.ts";
import { verdictHeader } from "./verdict-header.ts";

/** An answer ready to be written. */
export interface CheckAnswer {
  readonly status: 200 | 403;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface CheckForm {
  /** The Accept header chooses it. The status and the headers never depend on it. */
  readonly body: "json" | "text";
  /** Deny an allow whose rewritten arguments this seam cannot put into the request. */
  readonly strictShaping: boolean;
}

/** Renders a verdict for an auth hook: 200 for an allow, 403 for everything else. */
export function renderCheck(verdict: Verdict, form: CheckForm): CheckAnswer {
  const shown = form.strictShaping ? denyShaping(verdict) : verdict;
  const headers = {
    ...commonHeaders(form),
    ...verdictHeaders(shown),
    ...shapingHeaders(verdict),
    ...refusalHeaders(verdict),
  };
  const body = form.body === "json" ? JSON.stringify(shown) : renderText(shown);
  return { status: shown.decision === "allow" ? 200 : 403, headers, body };
}

/** An auth hook cannot carry rewritten arguments. Strict mode refuses to forward the original ones. */
function denyShaping(verdict: Verdict): Verdict {
  if (!verdict.args_constrained) return verdict;
  const reason = "The policy rewrites the arguments of this call, which an auth hook cannot carry out.";
  const deny: DenyVerdict = failClosedDeny("shaping_unsupported", reason);
  return { ...deny, decision_id: verdict.decision_id };
}

function commonHeaders({ body }: CheckForm): Record<string, string> {
  return {
    "content-type": body === "json" ? "application/json" : "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
}

function verdictHeaders(verdict: Verdict): Record<string, string> {
  const id =
    verdict.decision_id === undefined ? {} : { "x-svc-decision-id": headerText(verdict.decision_id) };
  const common = { "x-svc-decision": verdict.decision, ...id };
  if (verdict.decision === "allow") return common;
  return {
    ...common,
    "x-svc-reason": headerText(verdict.reason),
    ...(verdict.rule_id === undefined ? {} : { "x-svc-rule-id": headerText(verdict.rule_id) }),
    ...(verdict.decision === "pause" ? headerUrl("x-svc-approval-url", verdict.approval_url) : {}),
  };
}

/**
 * What a proxy shows its client when it does not pass the request. That includes an allow that requires
 * shaping: the proxy refuses it, so the header says so.
 */
function refusalHeaders(verdict: Verdict): Record<string, string> {
  const shown = denyShaping(verdict);
  return shown.decision === "allow" ? {} : { "x-svc-verdict": verdictHeader(shown) };
}

function shapingHeaders(verdict: Verdict): Record<string, string> {
  return verdict.args_constrained ? { "x-svc-shaping-required": "true" } : {};
}

function renderText(verdict: Verdict): string {
  switch (verdict.decision) {
    case "allow":
      return "allow\n";
    case "pause":
      return `pause: ${verdict.reason}\n${verdict.approval_url}\n`;
    case "deny":
      return `deny: ${verdict.reason}\n`;
  }
}
