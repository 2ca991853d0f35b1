import type { AskRoute, RouteAnswer, RouteQuestion } from "@svc/api/graphql-question";
import type { RouteDefinition } from "@svc/api/route";
import { CONTROL_ROUTES, type ControlOperationId } from "@svc/api/route-table";
import type { Problem } from "@svc/contract/problem";
import { problem } from "@svc/contract/problem";
import { FAILED } from "@svc/http-edge/answer";
import type { LimitRate } from "./rate-limits/rate-limits.ts";
import { readRouteTexts } from "./read-route-input.ts";
import { refuseAccess } from "./refuse-access.ts";
import type { AnyHandler, AnyReply, ProblemReply, RequestContext } from "./routes/handler.ts";
import { whileAccepted } from "./while-accepted.ts";

interface AskParts {
  readonly context: Omit<RequestContext, "head" | "ask">;
  readonly handlers: Readonly<Record<ControlOperationId, AnyHandler>>;
  readonly rateLimits: LimitRate;
  readonly refusal: () => Problem | null;
  readonly refuse: (refusal: ProblemReply) => ProblemReply;
}

/** What another route is asked without: a request of its own. It then answers JSON, at once. */
const NO_HEAD = { headers: {}, rawHeaders: [] };

const NOT_READING = problem("invalid_request", "expected a route that reads");

/** A path holds no such character, and a database may not either. */
const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * Asks routes with the key of a request, and goes through the steps that a request of its own would go
 * through from its rate limit on.
 */
export function askRoutes(parts: AskParts): AskRoute {
  return async (question) => {
    try {
      return answerOf(await new Question(parts).answer(question));
    } catch (error) {
      parts.context.ports.log.error(
        { err: error, operation: question.operation },
        "a question to a route failed",
      );
      return { kind: "problem", problem: FAILED };
    }
  };
}

class Question {
  readonly #parts: AskParts;

  constructor(parts: AskParts) {
    this.#parts = parts;
  }

  async answer({ operation, params, query }: RouteQuestion): Promise<AnyReply> {
    const { handlers, rateLimits, refuse, refusal, context } = this.#parts;
    const definition: RouteDefinition = CONTROL_ROUTES[operation];
    if (definition.method !== "GET") return { kind: "problem", problem: NOT_READING };
    const rate = rateLimits.take(context.principal, definition.rateClass);
    if (rate.kind === "limited") return refuse({ kind: "problem", problem: rate.problem });
    const forbidden = refuseAccess(context.principal, definition);
    if (forbidden !== null) return refuse(forbidden);
    const named = Object.values(params);
    if (named.some((name) => name === "" || CONTROL_CHARACTER.test(name)))
      return { kind: "problem", problem: problem("not_found", "Nothing has such an id.") };
    const input = readRouteTexts(definition, { params, query });
    if (input.kind === "problem") return input;
    const ask: AskRoute = async () => ({ kind: "problem", problem: NOT_READING });
    const reply = await handlers[operation](input.value, { ...context, head: NO_HEAD, ask });
    return whileAccepted(reply, { refusal, refuse, isRead: true });
  }
}

/** @throws when the route answers something else than JSON */
function answerOf(reply: AnyReply): RouteAnswer {
  if (reply.kind === "problem") return reply;
  if (reply.kind === "json") return { kind: "json", text: JSON.stringify(reply.body) };
  if (reply.kind === "text" && reply.mediaType === "application/json")
    return { kind: "json", text: reply.text };
  throw new Error(`expected an answer in JSON, found one of kind ${reply.kind}`);
}
