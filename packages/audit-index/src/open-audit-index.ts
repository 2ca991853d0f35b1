import type { WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import { SharedTurns } from "@svc/process/shared-turns";
import { threadUrl } from "@svc/process/thread-url";
import { nodeTimers } from "@svc/process/timers";
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
import { CLOSE_LIMIT_MS, IndexWriter } from "./index-writer.ts";

/** Milliseconds without a reply after which the thread of questions is stuck. */
const STALL_LIMIT_MS = 30_000;

/**
 * The thread answers one question at a time, which takes milliseconds, or a second behind a slow index; a
 * second turn lets the next organization's question wait there. API keys have limits of their own.
 */
const TURNS = { turns: 2, waitMs: 30_000, most: 64, ofKey: 64 };

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
 * Opens the index beside a store. Two threads of their own work on it: one writes, and one answers. Beside
 * the embedded store both end after minutes without work. No decision waits for them or depends on them.
 */
export function openAuditIndex(options: AuditIndexOptions): OpenedAuditIndex {
  const { place, clock } = options;
  const writer = writerAt(options);
  const questions = questionsAt(place, options.idleEndMs ?? IDLE_END_MS);
  let isStarted = false;
  /** When the last row came; null: there is none. */
  let lastRowMs = place.kind === "sqlite" ? null : Number.POSITIVE_INFINITY;
  /** No organization was active since then, and no row has come. Null: not known. */
  let noneSinceMs: number | null = null;
  const watchRows = (): void => {
    if (isStarted && lastRowMs !== null) writer.start();
  };
  const reply = replies(writer, questions);
  const answer = async (job: QuestionJob): Promise<unknown> => {
    const found = await reply(job);
    if (found.kind === "answer") return found.value;
    void writer.order({ kind: "rebuild" }).catch(() => undefined);
    throw new Error(`${found.message}; it is being built again`);
  };
  return {
    start: () => {
      isStarted = true;
      watchRows();
    },
    noteRows: () => {
      lastRowMs = Math.max(lastRowMs ?? 0, clock.now().getTime());
      noneSinceMs = null;
      watchRows();
    },
    ...questionsOf(answer),
    // Asked again and again. Without a row since then it must not start threads, or keep them.
    activeOrgs: async (sinceMs) => {
      if (lastRowMs === null || lastRowMs < sinceMs) return [];
      const { isComplete } = writer;
      if (isComplete && noneSinceMs !== null && noneSinceMs <= sinceMs) return [];
      const orgs = (await answer({ kind: "active_orgs", sinceMs })) as readonly string[];
      noneSinceMs = isComplete && orgs.length === 0 ? sinceMs : null;
      return orgs;
    },
    forget: async (range) => void (await writer.order({ kind: "forget", range })),
    takeAnomalies: async (book) => {
      if (!writer.isRunning || writer.isClosed) return NOTHING_FOUND;
      return (await writer.ask({ kind: "take_anomalies", book })) as TakenAnomalies;
    },
    close: async () => {
      await Promise.all([writer.close(), questions.abandon(CLOSE_LIMIT_MS, "the audit index is closed")]);
    },
  };
}

/** Asks the thread of questions, and has rows indexed that are not yet. */
function replies(writer: IndexWriter, questions: WorkerThread<QuestionJob>) {
  const turns = new SharedTurns({ label: "the audit index", ...TURNS });
  const ask = async (job: QuestionJob): Promise<QuestionReply> => {
    const holder = { org: orgOf(job), key: "" };
    return (await turns.run(holder, () => questions.run(job))) as QuestionReply;
  };
  return async (job: QuestionJob): Promise<QuestionReply> => {
    if (writer.isClosed) throw new Error("the audit index is closed");
    // An index that has every row answers by itself. One that cannot must be made again.
    if (writer.isComplete) {
      const found = await ask(job).catch(() => null);
      if (found?.kind === "answer") return found;
    }
    if (!writer.isRunning) writer.start();
    writer.tell({ kind: "wake" });
    return ask(job);
  };
}

/** The organization that asks; empty: the process itself. */
function orgOf(job: QuestionJob): string {
  if ("search" in job) return job.search.org;
  if ("lookup" in job) return job.lookup.org;
  return "query" in job ? job.query.org : "";
}

/** Other processes write the logs of a database server, too, so the thread watches them always. */
function writerAt({ place, log, idleEndMs = IDLE_END_MS }: AuditIndexOptions): IndexWriter {
  const thread = new WorkerThread<ProjectorJob>({
    name: "svc-audit-projector",
    label: "the audit index's writer",
    url: threadUrl("projector-worker", import.meta.url),
    workerData: () => place,
    stallLimitMs: null,
  });
  return new IndexWriter({
    thread,
    log,
    timers: nodeTimers,
    idleEndMs: place.kind === "sqlite" ? idleEndMs : null,
  });
}

function questionsAt(place: IndexPlace, idleEndMs: number): WorkerThread<QuestionJob> {
  return new WorkerThread<QuestionJob>({
    name: "svc-audit-questions",
    label: "the audit index's reader",
    url: threadUrl("question-worker", import.meta.url),
    workerData: () => place,
    stallLimitMs: STALL_LIMIT_MS,
    idleEndMs,
  });
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
