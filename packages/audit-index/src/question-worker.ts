import { setTimeout as sleep } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { lowerPriority } from "@svc/process/lower-priority";
import { runJobsAtOnce } from "@svc/process/run-jobs";
import { DamagedIndexError, UnreadyIndexError } from "./index-database.ts";
import type { IndexPlace, QuestionJob, QuestionReply } from "./index-jobs.ts";
import { openQuestionSession, type QuestionSession } from "./open-question-session.ts";
import type { QuestionDesk } from "./question-desk.ts";

/** Nice value of the thread: verdicts and commits go first, and an operator still gets a list. */
const NICE = 5;

/** Milliseconds that a question waits for an index that is not there. */
const OPEN_LIMIT_MS = 1_000;

/** Milliseconds between two attempts to open it. */
const RETRY_MS = 20;

/** Entry of the thread that reads the index. After a fault the next question opens everything anew. */
lowerPriority(NICE);
const place = workerData as IndexPlace;
let session: QuestionSession | null = null;

async function ask(desk: QuestionDesk, job: QuestionJob): Promise<QuestionReply> {
  switch (job.kind) {
    case "search":
      return { kind: "answer", value: await desk.search(job.search) };
    case "row":
      return { kind: "answer", value: await desk.row(job.lookup) };
    case "report":
      return { kind: "answer", value: await desk.report(job.query) };
    case "coverage":
      return { kind: "answer", value: await desk.coverage(job.query) };
    case "active_orgs":
      return { kind: "answer", value: await desk.activeOrgs(job.sinceMs) };
    case "open_tools":
      return { kind: "answer", value: await desk.openTools(job.query) };
    case "open_callers":
      return { kind: "answer", value: await desk.openCallers(job.query) };
    case "session":
      return { kind: "answer", value: await desk.session(job.query) };
    case "allowed":
      return { kind: "answer", value: await desk.allowedCalls(job.query) };
    case "callers":
      return { kind: "answer", value: await desk.callers(job.query) };
    case "agents":
      return { kind: "answer", value: await desk.agents(job.query) };
    case "agent_sessions":
      return { kind: "answer", value: await desk.agentSessions(job.query) };
    case "busy_agents":
      return { kind: "answer", value: await desk.busyAgents(job.query) };
    case "activity":
      return { kind: "answer", value: await desk.activity(job.query) };
  }
}

runJobsAtOnce<QuestionJob>(async (job): Promise<QuestionReply> => {
  const deadlineMs = performance.now() + OPEN_LIMIT_MS;
  for (;;) {
    try {
      if (session?.isCurrent() === false) endSession();
      session ??= openQuestionSession(place, { sleep, nowMs: () => performance.now() });
      return await ask(session.desk, job);
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
