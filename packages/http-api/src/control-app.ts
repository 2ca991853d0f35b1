import type { IncomingMessage } from "node:http";
import { fullPaths, type PathParameters, readPathParameters } from "@svc/api/match-path";
import type { Method, RouteDefinition } from "@svc/api/route";
import { CONTROL_ROUTES, type ControlOperationId, ROUTES } from "@svc/api/route-table";
import type { Principal } from "@svc/contract/principal";
import { type Problem, problem } from "@svc/contract/problem";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import { FAILED } from "@svc/http-edge/answer";
import type { Span, SpanEnd, Telemetry } from "@svc/telemetry/telemetry";
import { excerpt } from "@svc/text/excerpt";
import type { Logger } from "pino";
import { askRoutes } from "./ask-route.ts";
import type { Authenticate } from "./authentication.ts";
import { type ControlHandlersParts, controlHandlers } from "./control-handlers.ts";
import { judgeOrigin } from "./conventions/cross-origin.ts";
import { nextLink } from "./conventions/next-link.ts";
import { type RequestIdentity, requestIdentity } from "./conventions/request-identity.ts";
import { splitTarget } from "./conventions/split-target.ts";
import { DocumentWork } from "./document-work.ts";
import type { AnswerOnce } from "./idempotency/answer-once.ts";
import { runKeyed } from "./idempotency/run-keyed.ts";
import { loggedPath } from "./logged-path.ts";
import type { LimitRate } from "./rate-limits/rate-limits.ts";
import { readRouteInput } from "./read-route-input.ts";
import { type NoteRefusal, type RefusedRequest, refusesInput } from "./refusal-log.ts";
import { refuseAccess } from "./refuse-access.ts";
import { renderReply } from "./render-reply.ts";
import type { AnyHandler, AnyInput, AnyReply, ProblemReply } from "./routes/handler.ts";
import { refusedMethod, unknownRoute } from "./unmatched-route.ts";
import { appPath, NO_QUERY, type WebApp, type WebContext, webApp } from "./web-app.ts";
import { overOf } from "./when-over.ts";
import { whileAccepted } from "./while-accepted.ts";

export interface ApiParts extends ControlHandlersParts {
  readonly authenticate: Authenticate;
  readonly controlPlane: ControlPlanePorts;
  readonly log: Logger;
  readonly noteRefusal: NoteRefusal;
  readonly answerOnce: AnswerOnce;
  readonly rateLimits: LimitRate;
  /** Origins whose pages may use these routes. */
  readonly corsOrigins: ReadonlySet<string>;
  /** Measures changes. Null or absent: nothing does. */
  readonly telemetry?: Telemetry | null;
}

/** Longest part of a path that a refusal repeats, in characters. */
const SEGMENT_LENGTH = 128;

/** What the path and the method of a request lead to. */
type Target =
  | { readonly kind: "route"; readonly id: ControlOperationId; readonly pattern: string }
  /** Other code serves the route, by exact path and without a query. */
  | { readonly kind: "elsewhere" }
  /** The path has routes for these methods alone. */
  | { readonly kind: "method"; readonly methods: readonly Method[] }
  | { readonly kind: "none" };

/** The control routes, and the refusal of every other path. */
export function controlApp(parts: ApiParts): WebApp {
  const requests = new ControlRequests(parts);
  const app = webApp();
  const serve = (target: Target) => (c: WebContext) => requests.serve(c, target);
  const patterns = Object.entries<RouteDefinition>(ROUTES)
    .flatMap(([id, route]) => fullPaths(route).map((pattern) => ({ id, pattern, method: route.method })))
    .map((route) => ({ ...route, path: appPath(route.pattern) }))
    .toSorted((one, other) => parameterCount(one) - parameterCount(other));
  for (const { id, pattern, path, method } of patterns)
    app.on(method, path, serve(isControl(id) ? { kind: "route", id, pattern } : { kind: "elsewhere" }));
  // A parameter can be any word. The methods of a path are those of the route that names it most exactly.
  for (const [path, routes] of Map.groupBy(patterns, (route) => route.path))
    app.all(path, serve({ kind: "method", methods: [...new Set(routes.map(({ method }) => method))] }));
  return app.all("*", serve({ kind: "none" }));
}

function parameterCount({ path }: { readonly path: string }): number {
  return path.split(":").length - 1;
}

function isControl(id: string): id is ControlOperationId {
  return Object.hasOwn(CONTROL_ROUTES, id);
}

/**
 * Each request goes through the same steps in the same order: origin, credentials, route, rate limit, scope,
 * input, operation. A step that fails is the answer.
 */
class ControlRequests {
  readonly #parts: ApiParts;
  readonly #documentWork: DocumentWork;
  readonly #handlers: Readonly<Record<ControlOperationId, AnyHandler>>;

  constructor(parts: ApiParts) {
    this.#parts = parts;
    this.#documentWork = new DocumentWork(parts.controlPlane);
    this.#handlers = controlHandlers(parts) as unknown as Readonly<Record<ControlOperationId, AnyHandler>>;
  }

  async serve(c: WebContext, target: Target): Promise<Response> {
    const { log } = this.#parts;
    const { incoming } = c.env;
    const identity = requestIdentity(incoming);
    const { requestId, fields } = identity;
    setHeaders(c, identity.headers);
    const span = this.#beginSpan(incoming, target, identity);
    let response: Response;
    try {
      const answer = await this.#answer(c, target, identity);
      setHeaders(c, linkOf(incoming, answer));
      response = await renderReply(c, answer, { requestId, log });
    } catch (error) {
      log.error({ err: error, path: loggedPath(incoming.url ?? ""), ...fields }, "a request failed");
      response = await renderReply(c, { kind: "problem", problem: FAILED }, { requestId, log });
    }
    span?.end(() => changeAttributes(incoming, target, response.status));
    return response;
  }

  /** Null for a request that changes nothing, and where nothing is measured. */
  #beginSpan({ method }: IncomingMessage, target: Target, { trace: parent }: RequestIdentity): Span | null {
    if (target.kind !== "route" || method === "GET" || method === "HEAD") return null;
    return (
      this.#parts.telemetry?.begin({ name: `${method} ${target.pattern}`, kind: "server", parent }) ?? null
    );
  }

  async #answer(c: WebContext, target: Target, identity: RequestIdentity): Promise<AnyReply> {
    const { authenticate, noteRefusal, rateLimits, corsOrigins, controlPlane } = this.#parts;
    const { incoming: request } = c.env;
    const { requestId } = identity;
    const refuse = (refused: ProblemReply): ProblemReply => {
      noteRefusal({ code: refused.problem.code, requestId, request });
      return refused;
    };
    const origin = judgeOrigin(request, { corsOrigins, publicUrl: controlPlane.publicUrl });
    if (origin.kind === "refused") return refuse({ kind: "problem", problem: origin.problem });
    setHeaders(c, origin.headers);
    if (origin.kind === "preflight") return PREFLIGHT;
    const authentication = authenticate(request);
    if (authentication.kind === "problem") return refuse(authentication);
    const { principal, refusal } = authentication;
    const found = routeOf(target, request);
    if (found.kind === "problem") return refuse(found);
    const { definition, parameters, query } = found;
    const rate = rateLimits.take(principal, definition.rateClass);
    setHeaders(c, rate.headers ?? {});
    if (rate.kind === "limited") return refuse({ kind: "problem", problem: rate.problem });
    const forbidden = refuseAccess(principal, definition);
    if (forbidden !== null) return refuse(forbidden);
    const noteInput = inputNoter(noteRefusal, { requestId, request, principal });
    const input = await readRouteInput(definition, { request, parameters, query });
    if (input.kind === "problem") return noteInput(input);
    // The body may have come slowly, and the key may have been revoked meanwhile.
    const ended = refusal();
    if (ended !== null) return refuse({ kind: "problem", problem: ended });
    const accepted = { principal, refusal, refuse, identity, input: input.value };
    const answer = await this.#operate(c, found, accepted);
    return noteInput(whileAccepted(answer, { refusal, refuse, isRead: definition.method === "GET" }));
  }

  async #operate(c: WebContext, { id, definition }: FoundRoute, accepted: Accepted): Promise<AnyReply> {
    const { controlPlane, log, answerOnce, rateLimits } = this.#parts;
    const { principal, identity, input } = accepted;
    const { requestId, fields } = identity;
    const { incoming, outgoing } = c.env;
    const ports = { ...controlPlane, ...this.#documentWork.of(principal), log: log.child(fields) };
    const own = { principal, requestId, ports, over: overOf(outgoing) };
    const ask = askRoutes({ ...accepted, rateLimits, handlers: this.#handlers, context: own });
    const context = { ...own, head: incoming, ask };
    const keyed = { definition, id, request: incoming, context, body: input.bodyBytes };
    const { reply, headers } = await runKeyed(answerOnce, keyed, () => this.#handlers[id](input, context));
    setHeaders(c, headers);
    return reply;
  }
}

/** What the span of a change says: its route, never the names in its path, and how it was answered. */
function changeAttributes({ method = "" }: IncomingMessage, target: Target, status: number): SpanEnd {
  return {
    attributes: {
      "http.request.method": method,
      "http.response.status_code": status,
      ...(target.kind === "route" ? { "http.route": target.pattern, "svc.operation": target.id } : {}),
    },
    fault: status >= 500 ? String(status) : null,
  };
}

/** A request whose key and input were accepted. */
interface Accepted {
  readonly principal: Principal;
  /** Why the key may not act any more; null while it may. */
  readonly refusal: () => Problem | null;
  /** Notes that something was refused. */
  readonly refuse: (refusal: ProblemReply) => ProblemReply;
  readonly identity: RequestIdentity;
  readonly input: AnyInput;
}

/** The header that continues a list. */
function linkOf({ url = "" }: IncomingMessage, answer: AnyReply): Readonly<Record<string, string>> {
  const link = answer.kind === "json" ? nextLink(url, answer.body) : null;
  return link === null ? {} : { link };
}

/** Notes an answer that refuses the input of a request whose key was accepted, and passes every answer on. */
function inputNoter(
  noteRefusal: NoteRefusal,
  asked: Omit<RefusedRequest, "code">,
): (answer: AnyReply) => AnyReply {
  return (answer) => {
    if (answer.kind === "problem" && refusesInput(answer.problem))
      noteRefusal({ code: answer.problem.code, ...asked });
    return answer;
  };
}

/** Headers of the answer, whichever step answers. */
function setHeaders(c: WebContext, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
}

const PREFLIGHT: AnyReply = { kind: "empty", status: 204 };

interface FoundRoute {
  readonly kind: "found";
  readonly id: ControlOperationId;
  readonly definition: RouteDefinition;
  /** Decoded. */
  readonly parameters: PathParameters;
  readonly query: string | null;
}

/** The route of a request with what its path and query say, or why there is none. */
function routeOf(target: Target, { method = "", url = "" }: IncomingMessage): FoundRoute | ProblemReply {
  const { path, query } = splitTarget(url);
  switch (target.kind) {
    case "route": {
      const { id, pattern } = target;
      const read = readPathParameters(pattern, path);
      if (read.kind === "read")
        return { kind: "found", id, definition: CONTROL_ROUTES[id], parameters: read.parameters, query };
      const found = excerpt(read.segment, SEGMENT_LENGTH);
      const detail = `${read.name} in the path: expected UTF-8 text, percent-encoded once, found ${found}`;
      return { kind: "problem", problem: problem("invalid_target", detail) };
    }
    case "elsewhere":
      return { kind: "problem", problem: query === null ? unknownRoute(method, path) : NO_QUERY };
    case "method":
      return { kind: "problem", ...refusedMethod(target.methods) };
    case "none":
      return { kind: "problem", problem: unknownRoute(method, path) };
  }
}
