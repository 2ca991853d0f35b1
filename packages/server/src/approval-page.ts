import type { ServerResponse } from "node:http";
import { COMMON_HEADERS } from "@svc/http-edge/send-json";

/** One approval below /approvals: any id that the service could have given. */
const PATH = /^\/approvals\/[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$/;

const TITLE = "This call is paused";
const STATE =
  "A policy asks for an approval of this call. This version of Svc cannot approve calls yet, so the call " +
  "stays paused and does not run.";
const REMEDY =
  "An operator can change the policy: narrow the rule that asks for the approval, or replace its action " +
  "require_approval with allow or deny. When the agent repeats the call, the changed policy decides.";
const WHERE = "The audit log names the call, the rule and the policy under the decision id of the pause.";

/** This page may load, frame, send and run nothing. */
const PAGE_HEADERS = {
  ...COMMON_HEADERS,
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  vary: "accept",
} as const;

const HTML = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${TITLE}</title></head>
<body>
<h1>${TITLE}</h1>
<p>${STATE}</p>
<p>${REMEDY}</p>
<p>${WHERE}</p>
</body>
</html>
`;
const TEXT = `${TITLE}\n\n${STATE}\n${REMEDY}\n${WHERE}\n`;
const JSON_TEXT = JSON.stringify({
  status: "paused",
  can_be_approved: false,
  message: STATE,
  remedy: REMEDY,
});

export function isApprovalPath(path: string): boolean {
  return PATH.test(path);
}

/**
 * Sends the page of the `approval_url` of a pause, until approvals can be resolved. The page is the same for
 * every id, so it does not show which ids exist, and it needs no credentials.
 */
export function sendApprovalPage(response: ServerResponse): void {
  const [type, text] = formOf(response.req.headers.accept ?? "");
  const length = { "content-type": type, "content-length": Buffer.byteLength(text) };
  response.writeHead(200, { ...PAGE_HEADERS, ...length });
  response.end(text);
}

function formOf(accept: string): readonly [type: string, text: string] {
  const wanted = accept.toLowerCase();
  if (!wanted.includes("text/html")) {
    if (wanted.includes("application/json")) return ["application/json", JSON_TEXT];
    if (wanted.includes("text/plain")) return ["text/plain; charset=utf-8", TEXT];
  }
  return ["text/html; charset=utf-8", HTML];
}
