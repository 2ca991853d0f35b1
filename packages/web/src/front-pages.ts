import { answerWith, type Page, type Pages } from "@svc/http-api/web-app";
import { COMMON_HEADERS } from "@svc/http-edge/answer";
import { html } from "./approval-pages/markup.ts";
import { PAGE_HEADERS, renderPage } from "./approval-pages/page-shell.ts";

const PAGE = renderPage(
  "Svc",
  html`<p><a href="/approvals">Sign in to see approvals</a>. The message about a paused call has the address
of its page, and <code>svc-cli approvals list</code> shows it.</p>
<p>API: <a href="/docs">/docs</a>. GraphQL: <a href="/docs/graphql">/docs/graphql</a>.
What the reason of a decision means:
<a href="/docs/reasons">/docs/reasons</a>.</p>`,
);

/** What people see who open the address of the server in a browser. It is the same for everybody. */
export function frontPages(): Pages {
  const page: Page = (c) => answerWith(c, { status: 200, text: PAGE, headers: PAGE_HEADERS });
  return {
    "/": page,
    // Browsers ask for it by themselves.
    "/favicon.ico": (c) => c.body(null, 204, COMMON_HEADERS),
  };
}
