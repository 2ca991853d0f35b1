import type { JsonObject, JsonValue } from "@svc/text/json-value";
import { z } from "zod";
import { nearestField, parseWith } from "../fields/parse-with.ts";
import type { Parsed } from "../fields/parsed.ts";

const QUERY_EXPECTATION = 'expected a GraphQL document, such as "{ whoami { role } }"';
const OBJECT_EXPECTATION = "expected a JSON object, or null";

const object = () =>
  z
    .custom<JsonObject>((value) => typeof value === "object" && value !== null && !Array.isArray(value), {
      error: OBJECT_EXPECTATION,
    })
    .nullable()
    .default(null)
    .meta({ jsonSchema: { type: ["object", "null"], additionalProperties: true, default: null } });

const query = z.string({ error: QUERY_EXPECTATION }).min(1, { error: QUERY_EXPECTATION });

/** Body of `POST graphql`: one question. Lists of questions are not taken. */
export const graphqlRequestSchema = z
  .strictObject({
    query: query.describe("A document of GraphQL that reads."),
    operationName: z
      .string({ error: "expected the name of an operation of the document, or null" })
      .nullable()
      .default(null)
      .describe("Which operation of the document to run. Null: its only one."),
    variables: object().describe("Values of the variables of the operation."),
    extensions: object().describe("Clients may send it. It has no effect."),
  })
  .meta({ id: "GraphqlRequest", description: "A question in GraphQL." });

/** The query parameters of `GET graphql`. */
export const GRAPHQL_PARAMETERS = {
  query: query.describe("A document of GraphQL that reads."),
  operationName: z.string().optional().describe("Which operation of the document to run."),
  variables: z.string().optional().describe("Values of the variables of the operation, as JSON text."),
  extensions: z.string().optional().describe("Clients may send it. It has no effect."),
};

const errorSchema = z
  .looseObject({
    message: z.string().describe("What was expected, what came, and what to do."),
    locations: z
      .array(z.strictObject({ line: z.int(), column: z.int() }).meta({ id: "GraphqlLocation" }))
      .readonly()
      .optional()
      .describe("Where in the document, from 1."),
    path: z
      .array(z.unknown())
      .readonly()
      .optional()
      .describe("Which value of the answer is missing, as names and indexes."),
    extensions: z
      .record(z.string(), z.unknown())
      .describe("`code` is a problem code, as other routes answer it."),
  })
  .meta({ id: "GraphqlError" });

/** The answer to a question. */
export const graphqlAnswerSchema = z
  .strictObject({
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .optional()
      .describe("What was asked for. Absent: the question was refused. A field that was refused is null."),
    errors: z.array(errorSchema).readonly().optional().describe("Absent: everything was answered."),
  })
  .meta({ id: "GraphqlAnswer", description: "What a question in GraphQL was answered." });

export function parseGraphqlRequest(value: JsonValue): Parsed<z.output<typeof graphqlRequestSchema>> {
  return parseWith(graphqlRequestSchema, value, nearestField(Object.keys(graphqlRequestSchema.shape)));
}
