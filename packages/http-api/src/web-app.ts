import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { type Problem, problem } from "@svc/contract/problem";
import { type Answer, FAILED, headersOf, problemAnswer } from "@svc/http-edge/answer";
import { hasUnreadBody } from "@svc/http-edge/discard-body";
import type { Handle } from "@svc/http-edge/edge-server";
import { callerRequestId, newRequestId } from "@svc/http-edge/request-id";
import type { Logger } from "@svc/process/logger";
import { type Context, type Handler, Hono, type MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Authenticate } from "./authentication.ts";
import { splitTarget } from "./conventions/split-target.ts";
import { loggedPath } from "./logged-path.ts";
import { refusedMethod } from "./unmatched-route.ts";

/**
 * The web side of a listener: everything but the routes of gateways. Each part of it is an app, and the
 * server composes them. The edge server has judged the frame of every request before.
 */
export type WebApp = Hono<WebEnv>;

export interface WebEnv {
  readonly Bindings: {
    /** The request as the edge server read it. Its headers and body are read from here, by strict readers. */
    readonly incoming: IncomingMessage;
    /** The way back for an answer that is sent in pieces. */
    readonly outgoing: ServerResponse;
  };
}

export type WebContext = Context<WebEnv>;

/** A path of the route table as an app matches it. Its parameters are read from the path as it was sent. */
export function appPath(pattern: string): string {
  return pattern.replaceAll(/\{[^}]+\}/g, ":any");
}

/** An app that matches each path as it was sent: split once, never decoded. */
export function webApp(): WebApp {
  return new Hono<WebEnv>({
    getPath: (_request, options) => splitTarget(options?.env?.incoming.url ?? "").path,
  });
}

/** A complete answer. When the body was not read to its end, the connection ends with it. */
export function answerWith(c: WebContext, answer: Answer): Response {
  const end = hasUnreadBody(c.env.incoming) ? { connection: "close" } : {};
  const body = answer.text as string | Uint8Array<ArrayBuffer>;
  return c.body(body, answer.status as ContentfulStatusCode, webHeaders({ ...headersOf(answer), ...end }));
}

export function refuseWith(c: WebContext, refusal: Problem, headers: OutgoingHttpHeaders = {}): Response {
  return answerWith(c, problemAnswer(refusal, headers));
}

/** What an answer in pieces is written to, with the headers that were set before. */
export function takeOutgoing(c: WebContext): ServerResponse {
  const { outgoing } = c.env;
  for (const [name, value] of c.res.headers) outgoing.setHeader(name, value);
  return outgoing;
}

/** What a handler returns that has written to `takeOutgoing` itself. */
export async function sent(): Promise<Response> {
  const { RESPONSE_ALREADY_SENT } = await import("@hono/node-server/utils/response");
  return RESPONSE_ALREADY_SENT;
}

export type Page = Handler<WebEnv>;

/** Answers a request that it refuses, and passes every other one on. */
export type Judge = MiddlewareHandler<WebEnv>;

/** Pages by exact path, for GET and HEAD alone. */
export type Pages = Readonly<Record<string, Page>>;

/** Serves pages behind what judges their requests first. */
export function servePages(judge: Judge, pages: Pages): WebApp {
  const app = webApp();
  for (const [path, page] of Object.entries(pages))
    app
      .use(path, judge)
      .get(path, page)
      .all(path, refuseMethod(["GET", "HEAD"]));
  return app;
}

/** The 405 of a path that takes these methods alone. */
export function refuseMethod(methods: readonly string[]): (c: WebContext) => Response {
  const { problem: refusal, headers } = refusedMethod(methods);
  return (c) => refuseWith(c, refusal, { ...headers, connection: "close" });
}

export const NO_QUERY = problem("invalid_request", "expected no query, found a query");

/** Judges a request for a page. @param hostCheck null: every Host is accepted */
export function judgePages(hostCheck: Authenticate | null): Judge {
  return async (c, next) => {
    const { incoming } = c.env;
    const check = hostCheck?.(incoming);
    if (check?.kind === "problem") return refuseWith(c, check.problem);
    if (splitTarget(incoming.url ?? "").query !== null) return refuseWith(c, NO_QUERY);
    return next();
  };
}

/**
 * Names the request in the answer as its caller did. A client that has had an answer with the name of its
 * request takes none without, on one connection.
 */
export const nameRequest: Judge = (c, next) => {
  const name = callerRequestId(c.env.incoming);
  if (name !== null) c.header("x-request-id", name);
  return next();
};

/** For a Host that no URL can have. */
const ODD_HOST = problem(
  "invalid_target",
  "expected a Host that a URL can have: a name or address, and a port up to 65535",
);

/**
 * Serves the app on a listener of the edge server. A fault becomes a 500 and a line of the log. The first
 * request loads the adapter. It loads the HTTP client of Node, which takes 16 MiB and decides no calls.
 */
export function serveWeb(app: WebApp, log: Pick<Logger, "error">): Handle {
  app.onError((error, c) => {
    const request_id = newRequestId();
    const path = loggedPath(c.env.incoming.url ?? "");
    log.error({ err: error, path, request_id }, "a request failed");
    return refuseWith(c, { ...FAILED, request_id });
  });
  let loaded: Handle | null = null;
  return async (request, response) => {
    loaded ??= await listenerOf(app);
    // Its caller may have gone meanwhile.
    if (!response.destroyed) await loaded(request, response);
  };
}

async function listenerOf(app: WebApp): Promise<Handle> {
  const { getRequestListener, RequestError } = await import("@hono/node-server");
  return getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
    // The edge server ends the connection of a body that nobody reads.
    autoCleanupIncoming: false,
    errorHandler: (error) => plainProblem(error instanceof RequestError ? ODD_HOST : FAILED),
  });
}

/** For a request that no app has seen. */
function plainProblem(refusal: Problem): Response {
  const answer = problemAnswer(refusal, { connection: "close" });
  const headers = webHeaders(headersOf(answer));
  return new Response(answer.text as string, {
    status: answer.status,
    headers: Object.entries(headers).flatMap(([name, value]) => [value].flat().map((each) => [name, each])),
  });
}

function webHeaders(headers: OutgoingHttpHeaders): Record<string, string | string[]> {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [[name, typeof value === "object" ? value : String(value)] as const];
  });
  return Object.fromEntries(entries);
}
