import { hash } from "node:crypto";
import type { OutgoingHttpHeaders } from "node:http";
import { COMMON_HEADERS } from "@svc/http-edge/answer";
import { html, type Markup } from "./markup.ts";

/** Values are shown from left to right in the order of their characters, whatever these are. */
const STYLE = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:46rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid #8884}
th{font-weight:600;white-space:nowrap;min-width:5.5rem}
pre,code,.t{white-space:pre-wrap;unicode-bidi:bidi-override;direction:ltr}
pre{background:#8882;padding:.6rem;border-radius:.3rem;margin:.3rem 0}
mark{background:#fd0;color:#000;border-radius:.2rem;padding:0 .1rem}u{text-decoration:underline dotted}
label{display:block;font-weight:600;margin-top:1rem}
input,textarea{font:inherit;width:100%;box-sizing:border-box;padding:.5rem}
button{font:inherit;padding:.7rem 1.2rem;margin:1rem .6rem 0 0;cursor:pointer}
:focus-visible{outline:3px solid #06c;outline-offset:2px}
.n{border:2px solid #b60;border-radius:.3rem;padding:.5rem .8rem;margin:1rem 0}
`;

/** Nothing runs here, nothing is loaded, the forms lead back here, and no page can frame this one. */
const POLICY =
  `default-src 'none'; style-src 'sha256-${hash("sha256", STYLE, "base64")}'; form-action 'self'; ` +
  "base-uri 'none'; frame-ancestors 'none'";

export const PAGE_HEADERS: OutgoingHttpHeaders = {
  ...COMMON_HEADERS,
  "content-security-policy": POLICY,
  "content-type": "text/html; charset=utf-8",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
};

export function renderPage(title: string, content: Markup): string {
  const head = html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title>`;
  // The style is a constant of this file, and its hash is in the policy.
  return `<!doctype html>
<html lang="en">
<head>${head.markup}<style>${STYLE}</style></head>
<body><main>
<h1>${html`${title}`.markup}</h1>
${content.markup}
</main></body>
</html>
`;
}

/** Something that the reader must not miss. */
export function notice(content: Markup): Markup {
  return html`<p class="n" role="alert">${content}</p>`;
}
