import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { agentActivityRoutes } from "@svc/api/agent-activity-routes";
import type { RouteDefinition } from "@svc/api/route";
import { ROUTES } from "@svc/api/route-table";
import { MAX_BUSY_AGENTS } from "@svc/contract/agent-activity";
import { MAX_BODY_BYTES } from "@svc/text/limits";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { fetchWithKey } from "../support/server/role-keys.ts";
import { type ServerProcess, startServer } from "../support/server/server-process.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const KEY = `svc_operator1_${"Zx9".repeat(20)}`;

/** The parts of an OpenAPI document that say what an answer may be. */
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Answer>> };
}
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>;
}
interface Answer {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

const document = parse(
  await readFile(join(ROOT, "packages", "api", "openapi", "openapi.yaml"), "utf8"),
) as OpenApi;
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, "openapi");

let server: ServerProcess;
beforeAll(async () => {
  server = await startServer({ env: { SVC_AUTH: "on", SVC_BOOTSTRAP_API_KEY: KEY } });
});
afterAll(() => server.stop());

const operations = Object.entries<RouteDefinition>(ROUTES)
  .filter(([id]) => id !== "getDocsFile")
  .map(([id, route]) => ({ id, route }));

interface Sent {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | null;
}

/** Sends a request of a route, and checks its answer against the document. @returns the status */
async function checked(route: RouteDefinition, { path, headers = {}, body = exampleBody(route) }: Sent = {}) {
  const type = body === null ? {} : { "content-type": mediaTypeOf(route) };
  const answer = await fetchWithKey(`${server.url}${path ?? examplePath(route)}`, {
    method: route.method,
    headers: { authorization: `Bearer ${KEY}`, ...type, ...headers },
    body,
  });
  const isEndless = answer.headers.get("content-type") === "text/event-stream";
  if (isEndless) await answer.body?.cancel();
  const text = isEndless ? "" : await answer.text();
  const shown = (answer.headers.get("content-type") ?? "").split(";")[0] ?? "";
  expect(answer.headers.get("x-request-id") ?? route.access.kind).toBeTruthy();
  const described = describedAnswer(route, String(answer.status));
  expect(described, `${route.method} ${route.path} answered ${String(answer.status)}: ${text}`).toBeDefined();
  const media = described?.content?.[shown];
  expect(media, `${shown} of ${String(answer.status)} is not described`).toBeDefined();
  if (shown === "application/json" || shown === "application/problem+json") {
    const pointer = `openapi#${pointerTo(route, String(answer.status), shown)}`;
    const validate = ajv.getSchema(pointer);
    const fits = validate?.(JSON.parse(text));
    expect({ fits, text, why: validate?.errors ?? null }).toEqual({ fits: true, text, why: null });
  }
  return answer.status;
}

function describedAnswer(route: RouteDefinition, status: string): Answer | undefined {
  const found = operationOf(route).responses[status];
  if (found === undefined || !("$ref" in found)) return found;
  return document.components.responses[found.$ref.split("/").at(-1) ?? ""];
}

function operationOf({ path, method }: RouteDefinition): Operation {
  return document.paths[path]?.[method.toLowerCase()] ?? expect.unreachable(`${path} is not described`);
}

const escaped = (text: string): string =>
  encodeURIComponent(text.replaceAll("~", "~0").replaceAll("/", "~1"));

function pointerTo(route: RouteDefinition, status: string, type: string): string {
  const found = operationOf(route).responses[status];
  const start =
    found !== undefined && "$ref" in found
      ? found.$ref.slice(1)
      : `/paths/${escaped(route.path)}/${route.method.toLowerCase()}/responses/${status}`;
  return `${start}/content/${escaped(type)}/schema`;
}

function examplePath({ path, prefixed }: RouteDefinition, parameter = "1"): string {
  return `${prefixed === false ? "" : "/api/v1"}${path.replaceAll(/\{[a-z_]+\}/g, parameter)}`;
}

function exampleBody({ body }: RouteDefinition): string | null {
  if (body === null) return null;
  return body.kind === "text" ? body.example : JSON.stringify(body.example);
}

function mediaTypeOf({ body }: RouteDefinition): string {
  return body?.kind === "text" ? (body.mediaTypes[0] ?? "") : "application/json";
}

const governed = operations.filter(({ route }) => route.access.kind !== "anybody");
const withBody = operations.filter(({ route }) => route.body !== null);
const withParameter = operations.filter(({ route }) => route.path.includes("{"));

// proves OAS-08
describe("an answer is one that the document describes", () => {
  it.each(operations)("$id, to its example", async ({ route }) => {
    expect(await checked(route)).toBeLessThan(500);
  });

  it.each(governed)("$id, without a key", async ({ route }) => {
    expect(await checked(route, { headers: { authorization: "" } })).toBe(401);
  });

  it.each(governed)("$id, with the name of another organization", async ({ route }) => {
    expect(await checked(route, { headers: { "x-svc-org-id": "other" } })).toBe(403);
  });

  it.each(operations)("$id, with an unknown query parameter", async ({ route }) => {
    expect(await checked(route, { path: `${examplePath(route)}?no_such=1` })).toBe(400);
  });

  it.each(withBody)("$id, to a body that is cut off", async ({ route }) => {
    // A validation answers 200 with what is wrong.
    expect([200, 400, 404, 415, 422]).toContain(await checked(route, { body: '{"a":' }));
  });

  it.each(withBody)("$id, to a body of another media type", async ({ route }) => {
    expect(await checked(route, { headers: { "content-type": "image/png" } })).toBe(415);
  });

  it.each(withBody)("$id, to a body that is too large", async ({ route }) => {
    const most = route.body?.kind === "unread_json" ? route.body.maxBytes : MAX_BODY_BYTES;
    expect(await checked(route, { body: `"${"x".repeat(most)}"` })).toBe(413);
  });

  it.each(withParameter)("$id, to a name that nothing has", async ({ route }) => {
    expect(await checked(route, { path: examplePath(route, "no-such-name") })).toBeLessThan(500);
  });

  it.each(withParameter)("$id, to a name that is not UTF-8", async ({ route }) => {
    if (route.prefixed === false) return;
    expect(await checked(route, { path: examplePath(route, "%ff") })).toBe(400);
  });

  it.each(operations.filter(({ route }) => "limit" in route.query.shape))(
    "$id, at the bounds of its page size",
    async ({ route }) => {
      const at = (limit: string) => checked(route, { path: `${examplePath(route)}?limit=${limit}` });
      const most = route === agentActivityRoutes.listBusyAgents ? MAX_BUSY_AGENTS : 200;
      for (const limit of ["0", String(most + 1), "-1", "1.5", "", "1e2"]) expect(await at(limit)).toBe(400);
      for (const limit of ["1", String(most)]) expect([200, 404]).toContain(await at(limit));
    },
  );
});
