import { randomUUID } from "node:crypto";
import type { RouteDefinition } from "@svc/api/route";
import type { JsonValue } from "@svc/text/json-value";
import type { Connection } from "./resolve-connection.ts";

/** What a route is asked with. A member of the query that is undefined is left out. */
export interface Question {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: JsonValue;
  /** In place of `body`, where the route takes a text. */
  readonly document?: { readonly source: string; readonly mediaType: string };
  /** The version that a change builds on. */
  readonly ifMatch?: number;
  /** Gives up, as an attempt without an answer. */
  readonly signal?: AbortSignal;
}

export interface PreparedRequest {
  readonly url: URL;
  readonly init: RequestInit & { readonly headers: Headers };
}

/** The request that asks a route, with the key and the organization of the connection. */
export function prepareRequest(
  { method, path, prefixed, idempotency }: RouteDefinition,
  { params = {}, query = {}, ifMatch, ...question }: Question,
  { url: base, apiKey, orgId }: Connection,
): PreparedRequest {
  const prefix = prefixed === false ? "" : "/api/v1";
  const named = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const url = endpointOf(base, `${prefix}${named}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  const headers = new Headers({ accept: "application/json" });
  if (apiKey !== null) headers.set("authorization", `Bearer ${apiKey}`);
  if (orgId !== null) headers.set("x-svc-org-id", orgId);
  if (ifMatch !== undefined) headers.set("if-match", `"${String(ifMatch)}"`);
  if (idempotency === "answer") headers.set("idempotency-key", randomUUID());
  const body = bodyOf(question);
  if (body === null) return { url, init: { method, headers } };
  headers.set("content-type", body.mediaType);
  return { url, init: { method, headers, body: body.source } };
}

type Body = NonNullable<Question["document"]>;

function bodyOf({ body, document }: Pick<Question, "body" | "document">): Body | null {
  if (document !== undefined) return document;
  return body === undefined ? null : { source: JSON.stringify(body), mediaType: "application/json" };
}

/** The address of a path of the server, which begins with a slash. The path of `base` stays before it. */
export function endpointOf(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, "")}${path}`;
  return url;
}
