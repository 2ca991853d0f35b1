import { setTimeout as sleep } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { lowerPriority } from "@svc/process/lower-priority";
import { runJobsAtOnce } from "@svc/process/run-jobs";
import { callMethod, type ServiceCall } from "@svc/process/service-call";
import { openQuestionSession, type QuestionSession } from "./ask/open-question-session.ts";
import { DamagedIndexError, UnreadyIndexError } from "./database/index-database.ts";
import type { IndexPlace } from "./index-place.ts";
import type { QueryReply } from "./open-audit-index.ts";

/** Nice value of the thread: verdicts and commits go first, and an operator still gets a list. */
const NICE = 5;

/** Milliseconds that a question waits for an index that is not there. */
const OPEN_LIMIT_MS = 1_000;

/** Milliseconds between two attempts to open it. */
const RETRY_MS = 20;

/** Entry of the thread that reads the index. After a fault the next question opens everything again. */
lowerPriority(NICE);
const place = workerData as IndexPlace;
let session: QuestionSession | null = null;

runJobsAtOnce<ServiceCall>(async (call): Promise<QueryReply> => {
  const deadlineMs = performance.now() + OPEN_LIMIT_MS;
  for (;;) {
    try {
      if (session?.isCurrent() === false) endSession();
      session ??= openQuestionSession(place, { sleep, nowMs: () => performance.now() });
      return { kind: "answer", value: await callMethod(session.queries, call) };
    } catch (error) {
      endSession();
      if (error instanceof DamagedIndexError) return { kind: "damaged", message: error.message };
      // A projector that starts needs a moment to make the index.
      if (!(error instanceof UnreadyIndexError) || performance.now() >= deadlineMs) throw error;
      await sleep(RETRY_MS);
    }
  }
});

function endSession(): void {
  const ended = session;
  session = null;
  ended?.close();
}
