import { setImmediate as nextTurn } from "node:timers/promises";
import { type EvaluatorFactory } from "@svc/engine/evaluator-factory";
import { prepareDocument, type StoredDocument } from "@svc/engine/prepare-document";
import { noEvaluators } from "@svc/engine/testing/no-evaluators";
import { FakeClock } from "@svc/process/testing/fake-clock";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import { type DocumentReader, PolicyLoader } from "../policies/policy-loader.ts";

interface Order {
  readonly documents: readonly StoredDocument[];
  readonly reply: ReturnType<typeof Promise.withResolvers<Awaited<ReturnType<DocumentReader["prepare"]>>>>;
}

/** A loader whose reader answers, fails and is tried again when the test says so. */
/** @param evaluators of the policies that have a module */
export function manualLoader(evaluators: EvaluatorFactory = noEvaluators) {
  const orders: Order[] = [];
  const retries = new Set<() => void>();
  const faults = { count: 0 };
  const log = recordingLogger();
  const loader = new PolicyLoader({
    reader: {
      prepare: (documents) => {
        const reply = Promise.withResolvers<Awaited<ReturnType<DocumentReader["prepare"]>>>();
        orders.push({ documents, reply });
        return reply.promise;
      },
    },
    evaluators,
    clock: new FakeClock(),
    timers: {
      after: (_delayMs, run) => {
        retries.add(run);
        return () => retries.delete(run);
      },
    },
    log,
    onFault: () => {
      faults.count += 1;
    },
  });
  /** Lets everything run that waits only for its turn. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  };
  return {
    loader,
    log,
    faults,
    settle,
    /** The documents of the order that is on the thread; empty when there is none. */
    onThread: () => orders[0]?.documents ?? [],
    compile: async (): Promise<void> => {
      const order = orders.shift();
      order?.reply.resolve(order.documents.map((document) => prepareDocument(document)));
      await settle();
    },
    fail: async (): Promise<void> => {
      orders.shift()?.reply.reject(new Error("the thread was lost"));
      await settle();
    },
    retry: async (): Promise<void> => {
      const due = [...retries];
      retries.clear();
      for (const run of due) run();
      await settle();
    },
  };
}
