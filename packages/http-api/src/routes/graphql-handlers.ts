import type { AnswerGraphql, GraphqlQuestion } from "@svc/api/graphql-question";
import type { graphqlRoutes } from "@svc/api/graphql-routes";
import { invalidProblem } from "@svc/contract/body-problem";
import { parseGraphqlRequest } from "@svc/contract/graphql";
import { type Problem, problem } from "@svc/contract/problem";
import { type JsonFault, parseStrictJson } from "@svc/text/strict-json";
import { answersInGraphqlType } from "../prefers.ts";
import type { Handlers, ProblemReply, RequestContext, TextReply } from "./handler.ts";

export interface GraphqlHandlersParts {
  readonly answerGraphql: AnswerGraphql;
}

const BUSY: ProblemReply = {
  kind: "problem",
  problem: problem("overloaded", "Too many GraphQL questions are under way. Repeat this one after 1 s."),
  headers: { "retry-after": "1" },
};

const NO_VARIABLES = { ok: true, value: null } as const;

/** Questions in GraphQL. The fields of one ask routes with the key of its request. */
export function graphqlHandlers({ answerGraphql }: GraphqlHandlersParts): Handlers<typeof graphqlRoutes> {
  const answer = async (
    question: GraphqlQuestion,
    { principal, head, ask }: RequestContext,
  ): Promise<TextReply<200 | 400> | ProblemReply> => {
    const answered = await answerGraphql({ org: principal.org, key: principal.id }, question, ask);
    if (answered === null) return BUSY;
    const mediaType = answersInGraphqlType(head) ? "application/graphql-response+json" : "application/json";
    return { kind: "text", mediaType: `${mediaType}; charset=utf-8`, ...answered };
  };
  return {
    askGraphql: ({ body }, context) => answer(body, context),
    askGraphqlByUrl: async ({ query: { variables, ...rest } }, context) => {
      const given = variables === undefined ? NO_VARIABLES : parseStrictJson(Buffer.from(variables));
      if (!given.ok) return { kind: "problem", problem: malformedVariables(given.fault) };
      const { query: document, operationName = null } = rest;
      const parsed = parseGraphqlRequest({ query: document, operationName, variables: given.value });
      if (!parsed.ok) return { kind: "problem", problem: invalidProblem(parsed.errors) };
      return answer(parsed.value, context);
    },
  };
}

function malformedVariables({ expected, found, line, column }: JsonFault): Problem {
  const where = `line ${String(line)}, column ${String(column)}`;
  const entry = {
    pointer: "variables",
    expected: `JSON text with ${expected}`,
    found: `${found} (${where})`,
  };
  return invalidProblem([{ ...entry, fix: "send an object, percent-encoded" }]);
}
