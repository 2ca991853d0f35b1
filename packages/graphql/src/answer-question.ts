import type { AskRoute, GraphqlAnswer, GraphqlQuestion } from "@svc/api/graphql-question";
import type { Problem } from "@svc/contract/problem";
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from "graphql";
import { AnswerSize } from "./answer-size.ts";
import { DocumentCosts, refuseCost } from "./document-cost.ts";
import { formatError, invalid, tooManyTokens } from "./format-error.ts";
import { judgeDocument } from "./judge-document.ts";
import { MAX_ERRORS, MAX_TOKENS } from "./limits.ts";
import { makeLoaders } from "./loaders.ts";
import { ProblemError } from "./problem-error.ts";
import type { QueryContext } from "./query-context.ts";
import { readRoute } from "./read-route.ts";

/** Answers questions by a schema. What a question is refused for costs nothing but its own text. */
export class QuestionAnswerer {
  readonly #schema: GraphQLSchema;
  readonly #costs: DocumentCosts;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
    this.#costs = new DocumentCosts(schema);
  }

  /** Never rejects for a fault of the question. */
  async answer(question: GraphqlQuestion, ask: AskRoute): Promise<GraphqlAnswer> {
    const prepared = this.#prepare(question);
    if (prepared.kind === "refused") return answerText(400, { errors: prepared.errors });
    const { document, variables } = prepared;
    const { operationName } = question;
    const size = new AnswerSize();
    const read = readRoute(ask);
    const contextValue: QueryContext = { read, loaders: makeLoaders(read), size };
    const args = { schema: this.#schema, document, operationName, variableValues: variables, contextValue };
    const { data, errors }: ExecutionResult = await execute(args);
    const shown = errors?.map(formatError);
    // Its data would be as large as the limit, and hold no more than what fitted by chance.
    if (size.isExceeded) return answerText(200, { data: null, errors: shown?.slice(0, 1) });
    return answerText(200, { ...(shown === undefined ? {} : { errors: shown }), data });
  }

  #prepare({ query, operationName, variables }: GraphqlQuestion): Prepared {
    const document = parseDocument(query);
    if ("errors" in document) return refused(document.errors);
    const fault = judgeDocument(document);
    if (fault !== null) return refused([formatError(fault)]);
    const faults = validate(this.#schema, document, specifiedRules, { maxErrors: MAX_ERRORS });
    if (faults.length > 0) return refused(faults.map(invalid));
    const operation = getOperationAST(document, operationName);
    if (operation === null || operation === undefined) return refused([invalid(noOperation(operationName))]);
    if (operation.operation !== OperationTypeNode.QUERY) return refused([invalid(notReading(operation))]);
    const given = variables ?? {};
    const options = { maxErrors: MAX_ERRORS };
    const read = getVariableValues(this.#schema, operation.variableDefinitions ?? [], given, options);
    if (read.errors !== undefined) return refused(read.errors.map(invalid));
    try {
      const tooCostly = refuseCost(this.#costs.costOf(document, operation, read.coerced));
      return tooCostly === null ? { kind: "prepared", document, variables: given } : refusedBy(tooCostly);
    } catch (error) {
      if (error instanceof GraphQLError) return refused([invalid(error)]);
      throw error;
    }
  }
}

type Prepared =
  | {
      readonly kind: "prepared";
      readonly document: DocumentNode;
      readonly variables: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "refused"; readonly errors: readonly GraphQLFormattedError[] };

function parseDocument(query: string): DocumentNode | { readonly errors: readonly GraphQLFormattedError[] } {
  try {
    return parse(query, { maxLexicalTokens: MAX_TOKENS });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return { errors: [tooManyTokens(error) ?? invalid(error)] };
  }
}

function noOperation(name: string | null): GraphQLError {
  return new GraphQLError(
    name === null
      ? "expected one operation in the document, or operationName to name one of several"
      : `operationName: expected the name of an operation of the document, found ${JSON.stringify(name)}`,
  );
}

function notReading(operation: OperationDefinitionNode): GraphQLError {
  const detail =
    `expected a query, found a ${operation.operation}: GraphQL only reads here. ` +
    "Change things with the other routes of the API.";
  return new GraphQLError(detail, { nodes: operation });
}

function refused(errors: readonly GraphQLFormattedError[]): Prepared {
  return { kind: "refused", errors };
}

function refusedBy(fault: Problem): Prepared {
  return refused([formatError(new ProblemError(fault))]);
}

function answerText(status: GraphqlAnswer["status"], body: object): GraphqlAnswer {
  return { status, text: `${JSON.stringify(body)}\n` };
}
