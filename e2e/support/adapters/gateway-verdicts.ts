import type { Responder } from "./recording-server.ts";

/** What a scripted gateway answers, as a real one would. */
export const ALLOW = { decision: "allow", decision_id: "g.1", args_constrained: false };
export const DENY = {
  decision: "deny",
  decision_id: "g.2",
  args_constrained: false,
  reason: "This is closed.",
  reason_code: "rule",
  rule_id: "closed",
  fail_closed: false,
};
export const PAUSE = {
  decision: "pause",
  decision_id: "g.3",
  args_constrained: false,
  reason: "A person must agree.",
  reason_code: "approval_required",
  approval_url: "https://svc.example/approvals/1",
};

/** An allow that replaces the arguments. */
export function shaped(args: object): object {
  return { ...ALLOW, args_constrained: true, shaped_args: args };
}

/** Answers every call alike. */
export function verdict(document: object): Responder {
  return (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
  };
}
