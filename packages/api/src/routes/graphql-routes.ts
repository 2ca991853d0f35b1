import {
  GRAPHQL_PARAMETERS,
  graphqlAnswerSchema,
  graphqlRequestSchema,
  parseGraphqlRequest,
} from "@svc/contract/graphql";
import { z } from "zod";
import { answer, jsonBody, route } from "../route.ts";

const QUERY = "{ policies(first: 2) { nodes { id version mode } pageInfo { endCursor hasNextPage } } }";

const DATA = {
  policies: {
    nodes: [{ id: "refunds", version: 3, mode: "ENFORCEMENT" }],
    pageInfo: { endCursor: null, hasNextPage: false },
  },
};

const REFUSAL = {
  message: 'Cannot query field "nmae" on type "PolicyItem". Did you mean "name"?',
  locations: [{ line: 1, column: 22 }],
  extensions: { code: "invalid_request" },
};

const TYPE = "application/graphql-response+json";

const ANSWERS = {
  200: {
    ...answer("The answer. Fields that were refused are null, and `errors` says why.", graphqlAnswerSchema, {
      data: DATA,
    }),
    texts: { [TYPE]: { description: "The same.", example: JSON.stringify({ data: DATA }) } },
  },
  400: {
    ...answer(
      "The document, its variables or its cost were refused, in this form. A body that is not such a " +
        "question is refused as a problem.",
      graphqlAnswerSchema,
      { errors: [REFUSAL] },
    ),
    texts: { [TYPE]: { description: "The same.", example: JSON.stringify({ errors: [REFUSAL] }) } },
  },
} as const;

const COMMON = {
  path: "/graphql",
  tag: "GraphQL",
  access: { kind: "any_key" },
  rateClass: "read",
  answers: ANSWERS,
  problems: ["overloaded"],
} as const;

/** Questions about several resources at once. They change nothing. */
export const graphqlRoutes = {
  askGraphql: route({
    ...COMMON,
    method: "POST",
    summary: "Ask in GraphQL",
    description:
      "Reads several resources in one request. Each field needs the scope of the route that it reads, and " +
      "counts as a request of that route. `GET graphql/schema` has the schema, and /docs/graphql is for " +
      "trying questions. docs/GRAPHQL.md shows questions and says the limits.",
    body: jsonBody(graphqlRequestSchema, parseGraphqlRequest, { query: QUERY }),
  }),
  askGraphqlByUrl: route({
    ...COMMON,
    method: "GET",
    summary: "Ask in GraphQL by the address",
    description: "The same question in the address. `variables` is JSON text.",
    query: z.strictObject(GRAPHQL_PARAMETERS),
  }),
} as const;
