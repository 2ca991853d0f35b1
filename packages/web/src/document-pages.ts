import { readFile } from "node:fs/promises";
import { documentRoutes } from "@svc/api/document-routes";
import { fullPaths } from "@svc/api/match-path";
import type { RouteDefinition } from "@svc/api/route";
import { answerWith, type Page, type Pages, type WebContext } from "@svc/http-api/web-app";
import { type StaticFile, staticFile } from "./static-file.ts";

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Svc: the HTTP API</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/**
 * The page asks the server that it came from, whatever address the description has. Without
 * `validatorUrl: null` it would send the description to a server on the internet.
 */
const SCRIPT = `(async () => {
  const answer = await fetch("/api/v1/openapi.json");
  const spec = await answer.json();
  for (const { servers = [] } of [spec, ...Object.values(spec.paths)])
    for (const { variables } of servers) variables.origin.default = location.origin;
  SwaggerUIBundle({ spec, dom_id: "#api", deepLinking: true, validatorUrl: null });
})();
`;

const PLAYGROUND = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Svc: GraphQL</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/playground.css">
</head>
<body>
<header>
<h1>GraphQL</h1>
<label>API key <input id="key" type="password" autocomplete="off" placeholder="svc_..."></label>
<button id="run" type="button">Ask (Ctrl-Enter)</button>
<label>History <select id="history"></select></label>
<span id="status" role="status"></span>
</header>
<section>
<h2>Question</h2><div id="query"></div>
<label for="variables">Variables, as JSON</label><textarea id="variables" spellcheck="false"></textarea>
</section>
<section><h2>Answer</h2><pre id="answer" tabindex="0"></pre></section>
<section>
<label for="search">Schema: definitions with these words</label><input id="search" type="search">
<pre id="schema" tabindex="0"></pre>
</section>
<script type="module" src="/docs/playground.js"></script>
</body>
</html>
`;

/** The styles of the editor are sheets that the script makes, which need no exception. */
const PLAYGROUND_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page runs its own scripts alone, asks this server alone, and no other page can frame it. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The description of the API, and the page that shows it. They are the same for everybody. */
export function documentPages(): Pages {
  const at = (route: RouteDefinition, page: Page): Pages =>
    Object.fromEntries(fullPaths(route).map((path) => [path, page]));
  return {
    "/docs": (c) => send(c, HTML, "text/html; charset=utf-8"),
    "/docs/graphql": (c) => send(c, PLAYGROUND, "text/html; charset=utf-8", PLAYGROUND_POLICY),
    "/docs/playground.js": file("playground.js", "text/javascript; charset=utf-8"),
    "/docs/playground.css": file("playground.css", "text/css; charset=utf-8"),
    "/docs/reasons": file("reasons.html", "text/html; charset=utf-8"),
    "/docs/start.js": (c) => send(c, SCRIPT, "text/javascript; charset=utf-8"),
    "/docs/swagger-ui.css": file("swagger-ui.css", "text/css; charset=utf-8"),
    "/docs/swagger-ui-bundle.js": file("swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
    ...at(documentRoutes.getOpenApiYaml, file("openapi.yaml", "application/yaml")),
    ...at(documentRoutes.getOpenApi30Yaml, file("openapi-3.0.yaml", "application/yaml")),
    ...at(documentRoutes.getGraphqlSchema, file("schema.graphql", "text/plain; charset=utf-8")),
    ...at(documentRoutes.getOpenApiJson, file("openapi.json", "application/json")),
  };
}

/** A file is read once: anybody may ask for it, as often as they like. */
function file(name: StaticFile, type: string): Page {
  let content: Buffer | null = null;
  return async (c) => {
    content ??= await readFile(staticFile(name));
    return send(c, content, type);
  };
}

function send(c: WebContext, text: string | Buffer, type: string, policy = PAGE_POLICY): Response {
  const headers = { "content-type": type, "content-security-policy": policy };
  return answerWith(c, { status: 200, text, headers });
}
