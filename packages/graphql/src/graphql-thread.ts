import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { AskRoute, GraphqlAnswer, GraphqlQuestion, RouteQuestion } from "@svc/api/graphql-question";
import { problem } from "@svc/contract/problem";
import type { Logger } from "@svc/process/logger";
import { ServiceThread, type ThreadOverrides } from "@svc/process/service-thread";
import type { SlotHolder } from "@svc/process/shared-slots";
import { SharedTurns } from "@svc/process/shared-turns";
import { threadUrl } from "@svc/process/thread-url";
import type { graphqlService, Numbered } from "./graphql-service.ts";
import { DEADLINE_MS } from "./limits.ts";

/**
 * Questions at once. Most of their time they wait for a store. A question of one organization waits for
 * those of another at most while these use the processor, which is some 100 ms for the worst one.
 */
const TURNS = { turns: 8, turnsPerOrg: 4, waitMs: DEADLINE_MS, ofKey: 20, most: 200 };

/** MiB of heap: the schema, and some of the largest answers. */
const MAX_HEAP_MIB = 256;

const LABEL = "the thread of GraphQL";

/** Refuses what is asked after the deadline, so that the question ends. */
const LATE = problem("unavailable", `The question took more than ${String(DEADLINE_MS)} ms.`);

/**
 * The thread that parses, validates and answers questions, so that no document delays a verdict. It starts
 * with the first question, and ends when it has had none for a while.
 */
export class GraphqlThread {
  readonly #thread: ServiceThread<typeof graphqlService>;
  readonly #turns = new SharedTurns({ label: LABEL, ...TURNS });

  constructor(options: ThreadOverrides & { readonly log: Pick<Logger, "error"> }) {
    this.#thread = new ServiceThread<typeof graphqlService>({
      name: "svc-graphql",
      label: LABEL,
      url: threadUrl("graphql-worker", import.meta.url),
      maxHeapMib: MAX_HEAP_MIB,
      stallLimitMs: DEADLINE_MS,
      closing: "the server is closing",
      transfer: ({ args }) => [args[1] as MessagePort],
      ...options,
    });
  }

  /** @param ask runs on this thread. Null: too many questions are under way, or the thread was lost. */
  answer(holder: SlotHolder, question: GraphqlQuestion, ask: AskRoute): Promise<GraphqlAnswer | null> {
    return this.#turns.run(holder, () => this.#answer(question, ask)).catch(() => null);
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }

  async #answer(question: GraphqlQuestion, ask: AskRoute): Promise<GraphqlAnswer> {
    const { port1, port2 } = new MessageChannel();
    const startMs = performance.now();
    port1.on("message", ({ id, value }: Numbered<RouteQuestion>) => {
      const isLate = performance.now() - startMs > DEADLINE_MS;
      const answer = isLate ? Promise.resolve({ kind: "problem" as const, problem: LATE }) : ask(value);
      void answer.then((reply) => port1.postMessage({ id, value: reply }));
    });
    try {
      return await this.#thread.calls.answer(question, port2);
    } finally {
      port1.close();
    }
  }
}
