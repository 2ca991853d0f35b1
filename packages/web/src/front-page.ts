import type { ServerResponse } from "node:http";
import type { Endpoint } from "@svc/http-api/operational-endpoints";
import { COMMON_HEADERS } from "@svc/http-edge/answer";
import { sendText } from "@svc/http-edge/send-json";
import { html } from "./approval-pages/markup.ts";
import { PAGE_HEADERS, renderPage } from "./approval-pages/page-shell.ts";

const PAGE = renderPage(
  "Svc",
  html`<p>Sign in to see approvals: open the address of the paused call, which ends in
<code>/approvals/</code> and the id of the approval. The message about the call has it, and
<code>svc-cli approvals list</code> shows it.</p>
<p>API: <a href="/docs">/docs</a>. What the reason of a decision means:
<a href="/docs/reasons">/docs/reasons</a>.</p>`,
);

/** What people see who open the address of the server in a browser. It is the same for everybody. */
export function frontEndpoints(): ReadonlyMap<string, Endpoint> {
  const page = (response: ServerResponse): void => sendText(response, 200, PAGE, PAGE_HEADERS);
  return new Map<string, Endpoint>([
    ["/", page],
    ["/approvals", page],
    // Browsers ask for it by themselves.
    ["/favicon.ico", (response) => void response.writeHead(204, COMMON_HEADERS).end()],
  ]);
}
