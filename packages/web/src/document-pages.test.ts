import { documentRoutes } from "@svc/api/document-routes";
import { fullPaths } from "@svc/api/match-path";
import { askApp } from "@svc/http-api/testing/ask-app";
import { judgePages, servePages } from "@svc/http-api/web-app";
import { expect, it } from "vitest";
import { documentPages } from "./document-pages.ts";

const app = servePages(judgePages(null), documentPages());

async function get(path: string) {
  const answer = await askApp(app, "GET", path);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const { getOpenApiYaml, getOpenApiJson, getOpenApi30Yaml } = documentRoutes;

// proves API-01
it.each<readonly [path: string, type: string, start: RegExp]>([
  ...fullPaths(getOpenApiYaml).map((path) => [path, "application/yaml", /^openapi: 3\.1\.0\n/] as const),
  ...fullPaths(getOpenApi30Yaml).map((path) => [path, "application/yaml", /^openapi: 3\.0\.3\n/] as const),
  ...fullPaths(getOpenApiJson).map((path) => [path, "application/json", /^\{"openapi":"3\.1\.0"/] as const),
  ["/docs", "text/html; charset=utf-8", /^<!doctype html>/],
  ["/docs/reasons", "text/html; charset=utf-8", /^<!doctype html>/],
  ["/docs/start.js", "text/javascript; charset=utf-8", /openapi\.json/],
  ["/docs/swagger-ui.css", "text/css; charset=utf-8", /swagger-ui/],
  ["/docs/swagger-ui-bundle.js", "text/javascript; charset=utf-8", /SwaggerUIBundle/],
])("%s is sent as %s", async (path, type, start) => {
  const { status, headers, text } = await get(path);
  expect([status, headers.get("content-type")]).toEqual([200, type]);
  expect(text).toMatch(start);
});

// proves OAS-05
it("the page loads its own files alone, and no other page can frame it", async () => {
  const { headers, text } = await get("/docs");
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/default-src 'none'; script-src 'self';/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(text).not.toMatch(/https?:|\son[a-z]+=|<script>/);
});
