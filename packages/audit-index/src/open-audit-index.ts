import { setTimeout as sleep } from "node:timers/promises";
import type { WallClock } from "@svc/process/clock";
import { createLimitedWarnings } from "@svc/process/limited-warnings";
import type { Logger } from "@svc/process/logger";
import { SharedTurns } from "@svc/process/shared-turns";
import { threadUrl } from "@svc/process/thread-url";
import { within } from "@svc/process/within";
import { IDLE_END_MS, WorkerThread } from "@svc/process/worker-thread";
import type {
  ActivityFound,
  AgentsFound,
  AllowedCalls,
  AuditIndex,
  BusyAgentsFound,
  Callers,
  Coverage,
  OpenCallers,
  OpenTools,
  PolicyReport,
  RowFound,
  SearchResult,
  SessionSummary,
  SessionsFound,
} from "./audit-index.ts";
import type { TakenAnomalies } from "./behaviour/behaviour-desk.ts";
import type { IndexPlace, ProjectorJob, QuestionJob, QuestionReply } from "./index-jobs.ts";

/** Milliseconds without a reply after which the thread of questions is stuck. */
const STALL_LIMIT_MS = 30_000;

/**
 * The thread answers one question at a time, which takes milliseconds, or a second behind a slow index; a
 * second turn lets the next organization's question wait there. API keys have limits of their own.
 */
const TURNS = { turns: 2, waitMs: 30_000, most: 64, ofKey: 64 };

/** Milliseconds that closing waits for a thread that does not end. */
const CLOSE_LIMIT_MS = 1_000;

/** Milliseconds before a thread that ended is started again. */
const RESTART_MS = 1_000;

/** Before the threads start, and after they ended. */
const NOTHING_FOUND: TakenAnomalies = { anomalies: [], dropped: 0, generation: null };

export interface AuditIndexOptions {
  readonly place: IndexPlace;
  readonly log: Pick<Logger, "warn">;
  readonly clock: WallClock;
  /** For tests. */
  readonly idleEndMs?: number;
}

export interface OpenedAuditIndex extends AuditIndex {
  /** From now on rows are indexed as they come. A question before starts the threads too. */
  start(): void;
  /**
   * Says that the embedded store has rows, or has further ones. Until it has any, no thread runs. The logs of
   * a database server are always watched, because other processes write them too.
   */
  noteRows(): void;
}

/**
 * Opens the index beside a store. Two threads of their own work on it: one writes, and one answers until it
 * has had no question for minutes. No decision waits for them or depends on them.
 */
export function openAuditIndex(options: AuditIndexOptions): OpenedAuditIndex {
  const { place, log, clock } = options;
  const { projector, questions } = threadsAt(place, options.idleEndMs ?? IDLE_END_MS);
  const turns = new SharedTurns({ label: "the audit index", ...TURNS });
  const closing = new AbortController();
  let watching: Promise<void> | null = null;
  let isStarted = false;
  /** When the last row came; null: there is none. */
  let lastRowMs = place.kind === "sqlite" ? null : Number.POSITIVE_INFINITY;
  const watch = (): void => {
    watching ??= watchFaults(projector, log, closing.signal);
  };
  const watchRows = (): void => {
    if (isStarted && lastRowMs !== null && !closing.signal.aborted) watch();
  };
  const ask = async (job: QuestionJob): Promise<QuestionReply> => {
    if (closing.signal.aborted) throw new Error("the audit index is closed");
    watch();
    projector.tell({ kind: "wake" });
    const holder = { org: orgOf(job), key: "" };
    return (await turns.run(holder, () => questions.run(job))) as QuestionReply;
  };
  const answer = async (job: QuestionJob): Promise<unknown> => {
    const reply = await ask(job);
    if (reply.kind === "answer") return reply.value;
    projector.tell({ kind: "rebuild" });
    throw new Error(`${reply.message}; it is being built again`);
  };
  return {
    start: () => {
      isStarted = true;
      watchRows();
    },
    noteRows: () => {
      lastRowMs = Math.max(lastRowMs ?? 0, clock.now().getTime());
      watchRows();
    },
    ...questionsOf(answer),
    // Asked again and again. Without a row since then it must not start threads.
    activeOrgs: async (sinceMs) =>
      lastRowMs === null || lastRowMs < sinceMs
        ? []
        : ((await answer({ kind: "active_orgs", sinceMs })) as readonly string[]),
    forget: async (range) => void (await projector.run({ kind: "forget", range })),
    takeAnomalies: async (book) => {
      if (watching === null || closing.signal.aborted) return NOTHING_FOUND;
      return (await projector.run({ kind: "take_anomalies", book })) as TakenAnomalies;
    },
    close: async () => {
      closing.abort();
      await closeThreads(projector, questions);
      await watching;
    },
  };
}

/** The organization that asks; empty: the process itself. */
function orgOf(job: QuestionJob): string {
  if ("search" in job) return job.search.org;
  if ("lookup" in job) return job.lookup.org;
  return "query" in job ? job.query.org : "";
}

function threadsAt(place: IndexPlace, idleEndMs: number) {
  const projector = new WorkerThread<ProjectorJob>({
    name: "svc-audit-projector",
    label: "the audit index's writer",
    url: threadUrl("projector-worker", import.meta.url),
    workerData: () => place,
    stallLimitMs: null,
  });
  const questions = new WorkerThread<QuestionJob>({
    name: "svc-audit-questions",
    label: "the audit index's reader",
    url: threadUrl("question-worker", import.meta.url),
    workerData: () => place,
    stallLimitMs: STALL_LIMIT_MS,
    idleEndMs,
  });
  return { projector, questions };
}

async function closeThreads(
  projector: WorkerThread<ProjectorJob>,
  questions: WorkerThread<QuestionJob>,
): Promise<void> {
  await Promise.all([
    questions.abandon(CLOSE_LIMIT_MS, "the audit index is closed"),
    within(
      CLOSE_LIMIT_MS,
      projector.finish({ kind: "close" }).catch(() => undefined),
    ),
  ]);
  await projector.abandon(CLOSE_LIMIT_MS, "the audit index is closed");
}

/**
 * Logs the faults of the projector, which tries again every second, and starts its thread again when that
 * thread has ended.
 */
async function watchFaults(
  projector: WorkerThread<ProjectorJob>,
  log: Pick<Logger, "warn">,
  closing: AbortSignal,
): Promise<void> {
  const warn = createLimitedWarnings(log);
  while (!closing.aborted) {
    try {
      const cause = await projector.run({ kind: "next_fault" });
      warn("fault", { cause }, "the audit index was not brought up to date; lists say so until it is");
    } catch (error) {
      if (closing.aborted) return;
      log.warn({ err: error }, "the thread of the audit index ended and is started again");
      await sleep(RESTART_MS);
    }
  }
}

/** Each question has a kind of job, and the thread of questions answers it in the type of that kind. */
function questionsOf(
  answer: (job: QuestionJob) => Promise<unknown>,
): Omit<AuditIndex, "activeOrgs" | "forget" | "takeAnomalies" | "close"> {
  return {
    search: async (search) => (await answer({ kind: "search", search })) as SearchResult,
    row: async (lookup) => (await answer({ kind: "row", lookup })) as RowFound,
    report: async (query) => (await answer({ kind: "report", query })) as PolicyReport,
    coverage: async (query) => (await answer({ kind: "coverage", query })) as Coverage,
    openTools: async (query) => (await answer({ kind: "open_tools", query })) as OpenTools,
    openCallers: async (query) => (await answer({ kind: "open_callers", query })) as OpenCallers,
    session: async (query) => (await answer({ kind: "session", query })) as SessionSummary,
    allowedCalls: async (query) => (await answer({ kind: "allowed", query })) as AllowedCalls,
    callers: async (query) => (await answer({ kind: "callers", query })) as Callers,
    agents: async (query) => (await answer({ kind: "agents", query })) as AgentsFound,
    agentSessions: async (query) => (await answer({ kind: "agent_sessions", query })) as SessionsFound,
    busyAgents: async (query) => (await answer({ kind: "busy_agents", query })) as BusyAgentsFound,
    activity: async (query) => (await answer({ kind: "activity", query })) as ActivityFound,
  };
}
