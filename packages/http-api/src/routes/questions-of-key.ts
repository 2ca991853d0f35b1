import { problem } from "@svc/contract/problem";
import { ConcurrencyLimit } from "../concurrency-limit.ts";
import type { ProblemReply, RequestContext } from "./handler.ts";

/** Runs a question of a request's key, or refuses it while too many of that key are under way. */
export type InTurn = <Answer>(
  context: Pick<RequestContext, "principal">,
  question: () => Promise<Answer>,
) => Promise<Answer | ProblemReply>;

/** @param what the questions, for the refusal, such as `lists of agents` */
export function questionsOfKey(limit: number, what: string): InTurn {
  const running = new ConcurrencyLimit(limit);
  const tooMany: ProblemReply = {
    kind: "problem",
    problem: problem(
      "too_many_requests",
      `this key has ${String(limit)} ${what} under way; wait for an answer`,
    ),
    headers: { "retry-after": "1" },
  };
  return async ({ principal }, question) => {
    const end = running.begin(`${principal.org}/${principal.id}`);
    if (end === null) return tooMany;
    try {
      return await question();
    } finally {
      end();
    }
  };
}
