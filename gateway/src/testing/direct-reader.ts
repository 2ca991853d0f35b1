import { prepareDocument } from "@svc/engine/prepare-document";
import { noEvaluators } from "@svc/engine/testing/no-evaluators";
import { FakeClock } from "@svc/process/testing/fake-clock";
import { recordingLogger } from "@svc/process/testing/recording-logger";
import { nodeTimers } from "@svc/process/timers";
import { type DocumentReader, PolicyLoader } from "../policies/policy-loader.ts";

/** Reads policy documents on the thread of the test. */
export const directReader: DocumentReader = {
  prepare: async (documents) => documents.map((document) => prepareDocument(document)),
};

/** A loader that compiles on the thread of the test. */
export function directLoader(): PolicyLoader {
  const log = recordingLogger();
  return new PolicyLoader({
    reader: directReader,
    evaluators: noEvaluators,
    clock: new FakeClock(),
    timers: nodeTimers,
    log,
    onFault,
  });
}

function onFault(): void {
  throw new Error("compiling on the thread of the test failed");
}
