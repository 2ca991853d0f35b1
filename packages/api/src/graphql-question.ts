import type { Problem } from "@svc/contract/problem";
import type { JsonObject } from "@svc/text/json-value";
import type { ControlOperationId } from "./route-table.ts";

/** What a client asks. */
export interface GraphqlQuestion {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: JsonObject | null;
}

/** The answer to a question. */
export interface GraphqlAnswer {
  /** 200, or 400 when the question was refused before anything was read. */
  readonly status: 200 | 400;
  /** The JSON text of the answer. */
  readonly text: string;
}

/** A route of the API with the texts of its parameters. */
export interface RouteQuestion {
  readonly operation: ControlOperationId;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** What the route answers: the JSON text of its body, or its refusal. */
export type RouteAnswer =
  | { readonly kind: "json"; readonly text: string }
  | { readonly kind: "problem"; readonly problem: Problem };

/** Asks a route with the key of the question, by the scope of the route and within its limits. */
export type AskRoute = (question: RouteQuestion) => Promise<RouteAnswer>;

/** Whose question it is. */
export interface GraphqlHolder {
  readonly org: string;
  /** Id of the API key. */
  readonly key: string;
}

/** Answers a question, whose fields ask routes. Null: too much is under way. */
export type AnswerGraphql = (
  holder: GraphqlHolder,
  question: GraphqlQuestion,
  ask: AskRoute,
) => Promise<GraphqlAnswer | null>;
