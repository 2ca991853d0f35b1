import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { documentRoutes } from "@svc/api/document-routes";
import { fullPaths } from "@svc/api/match-path";
import type { Endpoint } from "@svc/http-api/operational-endpoints";
import { sendText } from "@svc/http-edge/send-json";
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

/** The page runs its own scripts alone, asks this server alone, and no other page can frame it. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The description of the API, and the page that shows it. They are the same for everybody. */
export function documentEndpoints(): ReadonlyMap<string, Endpoint> {
  const byPath = new Map<string, Endpoint>([
    ["/docs", (response) => send(response, HTML, "text/html; charset=utf-8")],
    ["/docs/reasons", file("reasons.html", "text/html; charset=utf-8")],
    ["/docs/start.js", (response) => send(response, SCRIPT, "text/javascript; charset=utf-8")],
    ["/docs/swagger-ui.css", file("swagger-ui.css", "text/css; charset=utf-8")],
    ["/docs/swagger-ui-bundle.js", file("swagger-ui-bundle.js", "text/javascript; charset=utf-8")],
  ]);
  for (const path of fullPaths(documentRoutes.getOpenApiYaml))
    byPath.set(path, file("openapi.yaml", "application/yaml"));
  for (const path of fullPaths(documentRoutes.getOpenApi30Yaml))
    byPath.set(path, file("openapi-3.0.yaml", "application/yaml"));
  for (const path of fullPaths(documentRoutes.getOpenApiJson))
    byPath.set(path, file("openapi.json", "application/json"));
  return byPath;
}

/** A file is read once: anybody may ask for it, as often as they like. */
function file(name: StaticFile, type: string): Endpoint {
  let content: Buffer | null = null;
  return async (response) => {
    content ??= await readFile(staticFile(name));
    send(response, content, type);
  };
}

function send(response: ServerResponse, content: string | Buffer, type: string): void {
  sendText(response, 200, content, { "content-type": type, "content-security-policy": PAGE_POLICY });
}
