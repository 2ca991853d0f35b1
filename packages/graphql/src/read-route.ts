import type { AskRoute, RouteQuestion } from "@svc/api/graphql-question";
import type { JsonObject } from "@svc/text/json-value";
import { parseJson } from "@svc/text/parse-json";
import { argumentProblem } from "./argument-problem.ts";
import { ProblemError } from "./problem-error.ts";

/** The body that a route answers. Rejects with ProblemError when it refuses. */
export type ReadRoute = (question: RouteQuestion) => Promise<JsonObject>;

export function readRoute(ask: AskRoute): ReadRoute {
  return async (question) => {
    const answer = await ask(question);
    if (answer.kind === "problem") throw new ProblemError(argumentProblem(answer.problem));
    return parseJson(answer.text) as JsonObject;
  };
}
