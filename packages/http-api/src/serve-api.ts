import type { IncomingMessage, ServerResponse } from "node:http";
import type { PathMatch } from "@svc/api/match-path";
import type { RouteDefinition } from "@svc/api/route";
import { CONTROL_ROUTES, type ControlOperationId, matchRoute, type OperationId } from "@svc/api/route-table";
import { excerpt } from "@svc/contract/excerpt";
import type { Principal } from "@svc/contract/principal";
import { problem } from "@svc/contract/problem";
import { refuseScope } from "@svc/contract/refuse-scope";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import type { Handle } from "@svc/http-edge/edge-server";
import type { Logger } from "pino";
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
import type { AnyHandler, AnyReply, ProblemReply } from "./routes/handler.ts";
import { sendReply } from "./send-reply.ts";
import { refusedMethod, unknownRoute } from "./unmatched-route.ts";
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
}

/** Longest part of a path that a refusal repeats, in characters. */
const SEGMENT_LENGTH = 128;

/**
 * The control routes. Each request goes through the same steps in the same order: origin, credentials, route,
 * rate limit, scope, input, operation. A step that fails is the answer.
 */
export function createApi(parts: ApiParts): Handle {
  const { authenticate, controlPlane, log, noteRefusal, answerOnce, rateLimits, corsOrigins } = parts;
  const documentWork = new DocumentWork(controlPlane);
  const handlers = controlHandlers(parts) as unknown as Readonly<Record<ControlOperationId, AnyHandler>>;

  async function reply(
    request: IncomingMessage,
    response: ServerResponse,
    { requestId, fields }: RequestIdentity,
  ): Promise<AnyReply> {
    const refuse = (refused: ProblemReply): ProblemReply => {
      noteRefusal({ code: refused.problem.code, requestId, request });
      return refused;
    };
    const origin = judgeOrigin(request, corsOrigins);
    if (origin.kind === "refused") return refuse({ kind: "problem", problem: origin.problem });
    setHeaders(response, origin.headers);
    if (origin.kind === "preflight") return PREFLIGHT;
    const authentication = authenticate(request);
    if (authentication.kind === "problem") return refuse(authentication);
    const { principal, refusal } = authentication;
    const noteInput = inputNoter(noteRefusal, { requestId, request, principal });
    const { path, query } = splitTarget(request.url ?? "");
    const matched = matchRoute(request.method ?? "", path);
    if (matched.kind !== "matched") return refuse(refuseUnmatched(matched, request.method ?? "", path));
    const { id, parameters } = matched;
    if (!isControl(id)) return refuse(refuseNotServed(request.method ?? "", path, query));
    const definition: RouteDefinition = CONTROL_ROUTES[id];
    const rate = rateLimits.take(principal, definition.rateClass);
    setHeaders(response, rate.headers ?? {});
    if (rate.kind === "limited") return refuse({ kind: "problem", problem: rate.problem });
    const forbidden = refuseAccess(principal, definition);
    if (forbidden !== null) return refuse(forbidden);
    const input = await readRouteInput(definition, { request, parameters, query });
    if (input.kind === "problem") return noteInput(input);
    // The body may have come slowly, and the key may have been revoked meanwhile.
    const ended = refusal();
    if (ended !== null) return refuse({ kind: "problem", problem: ended });
    const ports = { ...controlPlane, ...documentWork.of(principal), log: log.child(fields) };
    const context = { principal, requestId, ports, head: request, over: overOf(response) };
    const keyed = { definition, id, request, context, body: input.value.bodyBytes };
    const answer = await runKeyed(answerOnce, keyed, () => handlers[id](input.value, context));
    setHeaders(response, answer.headers);
    return noteInput(whileAccepted(answer.reply, { refusal, refuse, isRead: definition.method === "GET" }));
  }

  return async (request, response) => {
    const identity = requestIdentity(request);
    const { requestId, fields } = identity;
    const exchange = { response, requestId, log };
    setHeaders(response, identity.headers);
    try {
      const answer = await reply(request, response, identity);
      setHeaders(response, linkOf(request, answer));
      await sendReply({ ...exchange, reply: answer });
    } catch (error) {
      log.error({ err: error, path: loggedPath(request.url ?? ""), ...fields }, "a request failed");
      await sendReply({ ...exchange, reply: FAILED });
    }
  };
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
function setHeaders(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

const PREFLIGHT: AnyReply = { kind: "empty", status: 204 };

const NO_QUERY: ProblemReply = {
  kind: "problem",
  problem: problem("invalid_request", "expected no query, found a query"),
};

const FAILED: ProblemReply = {
  kind: "problem",
  problem: problem("internal_error", "the request failed inside the server"),
};

/**
 * The routes of other code are looked up by exact path. What arrives here has a query, or an example of a
 * parameter that nothing has.
 */
function refuseNotServed(method: string, path: string, query: string | null): ProblemReply {
  return query === null ? { kind: "problem", problem: unknownRoute(method, path) } : NO_QUERY;
}

function isControl(id: OperationId): id is ControlOperationId {
  return Object.hasOwn(CONTROL_ROUTES, id);
}

function refuseAccess(principal: Principal, { access }: RouteDefinition): ProblemReply | null {
  switch (access.kind) {
    case "anybody":
    case "any_key":
      return null;
    case "scope": {
      const refusal = refuseScope(principal, access.scope);
      return refusal === null ? null : { kind: "problem", problem: refusal };
    }
  }
}

function refuseUnmatched(
  match: Exclude<PathMatch<OperationId>, { readonly kind: "matched" }>,
  method: string,
  path: string,
): ProblemReply {
  switch (match.kind) {
    case "method":
      return { kind: "problem", ...refusedMethod(match.methods) };
    case "undecodable": {
      const found = excerpt(match.segment, SEGMENT_LENGTH);
      const detail = `${match.name} in the path: expected UTF-8 text, percent-encoded once, found ${found}`;
      return { kind: "problem", problem: problem("invalid_target", detail) };
    }
    case "none":
      return { kind: "problem", problem: unknownRoute(method, path) };
  }
}
