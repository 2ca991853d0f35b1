import type { MessagePort } from "node:worker_threads";
import type { AskRoute, GraphqlAnswer, GraphqlQuestion, RouteAnswer } from "@svc/api/graphql-question";
import { QuestionAnswerer } from "./answer-question.ts";
import { makeSchema } from "./make-schema.ts";

/** A question to a route, or the answer to it, with its number. */
export interface Numbered<Value> {
  readonly id: number;
  readonly value: Value;
}

let answerer: QuestionAnswerer | null = null;

/** What the thread of GraphQL does. */
export const graphqlService = {
  /** @param port leads to the thread that serves requests, which asks the routes */
  async answer(question: GraphqlQuestion, port: MessagePort): Promise<GraphqlAnswer> {
    answerer ??= new QuestionAnswerer(makeSchema());
    try {
      return await answerer.answer(question, askOver(port));
    } finally {
      port.close();
    }
  },
};

function askOver(port: MessagePort): AskRoute {
  const waiting = new Map<number, (answer: RouteAnswer) => void>();
  port.on("message", ({ id, value }: Numbered<RouteAnswer>) => {
    waiting.get(id)?.(value);
    waiting.delete(id);
  });
  let lastId = 0;
  return (question) => {
    const { promise, resolve } = Promise.withResolvers<RouteAnswer>();
    lastId += 1;
    waiting.set(lastId, resolve);
    port.postMessage({ id: lastId, value: question });
    return promise;
  };
}
