import type { WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import { remote, type ServiceCall } from "@svc/process/service-call";
import { SharedTurns } from "@svc/process/shared-turns";
import { threadUrl } from "@svc/process/thread-url";
import { nodeTimers } from "@svc/process/timers";
import { IDLE_END_MS, WorkerThread } from "@svc/process/worker-thread";
import type { AuditQueries } from "./ask/audit-queries.ts";
import type { AuditIndex } from "./audit-index.ts";
import type { TakenAnomalies } from "./behaviour/anomaly-buffer.ts";
import { CLOSE_LIMIT_MS, IndexWriter } from "./fill/index-writer.ts";
import type { IndexPlace } from "./index-place.ts";

/** Milliseconds without a reply after which the thread of questions is stuck. */
const STALL_LIMIT_MS = 30_000;

/**
 * The thread answers one question at a time, which takes milliseconds, or a second behind a slow index; a
 * second turn lets the next organization's question wait there. API keys have limits of their own.
 */
const TURNS = { turns: 2, waitMs: 30_000, most: 64, ofKey: 64 };

/** What the thread of questions replies to a call of `AuditQueries`. */
export type QueryReply =
  | { readonly kind: "answer"; readonly value: unknown }
  /** The index must be built again. */
  | { readonly kind: "damaged"; readonly message: string };

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
  const answer = async (call: ServiceCall): Promise<unknown> => {
    const found = await reply(call);
    if (found.kind === "answer") return found.value;
    void writer.order((projector) => projector.rebuild()).catch(() => undefined);
    throw new Error(`${found.message}; it is being built again`);
  };
  const here: MethodsHere = {
    start: () => {
      isStarted = true;
      watchRows();
    },
    noteRows: () => {
      lastRowMs = Math.max(lastRowMs ?? 0, clock.now().getTime());
      noneSinceMs = null;
      watchRows();
    },
    // Asked again and again. Without a row since then it must not start threads, or keep them.
    activeOrgs: async (sinceMs) => {
      if (lastRowMs === null || lastRowMs < sinceMs) return [];
      const { isComplete } = writer;
      if (isComplete && noneSinceMs !== null && noneSinceMs <= sinceMs) return [];
      const orgs = (await answer({ method: "activeOrgs", args: [sinceMs] })) as readonly string[];
      noneSinceMs = isComplete && orgs.length === 0 ? sinceMs : null;
      return orgs;
    },
    forget: (range) => writer.order((projector) => projector.forget(range)),
    takeAnomalies: async (thresholds) => {
      if (!writer.isRunning || writer.isClosed) return NOTHING_FOUND;
      return writer.projector.takeAnomalies(thresholds);
    },
    lagMs: async () => {
      if (lastRowMs === null || writer.isComplete) return 0;
      return writer.isRunning && !writer.isClosed ? writer.projector.lagMs() : null;
    },
    close: async () => {
      await Promise.all([writer.close(), questions.abandon(CLOSE_LIMIT_MS, "the audit index is closed")]);
    },
  };
  return remote<AuditQueries, MethodsHere>(answer, here);
}

/** What the serving thread does itself. The thread of questions answers every other method. */
type MethodsHere = Omit<OpenedAuditIndex, Exclude<keyof AuditQueries, "activeOrgs">>;

/** Asks the thread of questions, and has rows indexed that are not yet. */
function replies(writer: IndexWriter, questions: WorkerThread<ServiceCall>) {
  const turns = new SharedTurns({ label: "the audit index", ...TURNS });
  const ask = async (call: ServiceCall): Promise<QueryReply> => {
    const holder = { org: orgOf(call), key: "" };
    return (await turns.run(holder, () => questions.run(call))) as QueryReply;
  };
  return async (call: ServiceCall): Promise<QueryReply> => {
    if (writer.isClosed) throw new Error("the audit index is closed");
    // An index that has every row answers by itself. One that cannot must be made again.
    if (writer.isComplete) {
      const found = await ask(call).catch(() => null);
      if (found?.kind === "answer") return found;
    }
    if (!writer.isRunning) writer.start();
    writer.wake();
    return ask(call);
  };
}

/** The organization that asks; empty: the process itself. */
function orgOf({ args: [query] }: ServiceCall): string {
  return (query as { readonly org?: string }).org ?? "";
}

/** Other processes write the logs of a database server, too, so the thread watches them always. */
function writerAt({ place, log, idleEndMs = IDLE_END_MS }: AuditIndexOptions): IndexWriter {
  const thread = new WorkerThread<ServiceCall>({
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

function questionsAt(place: IndexPlace, idleEndMs: number): WorkerThread<ServiceCall> {
  return new WorkerThread<ServiceCall>({
    name: "svc-audit-questions",
    label: "the audit index's reader",
    url: threadUrl("question-worker", import.meta.url),
    workerData: () => place,
    stallLimitMs: STALL_LIMIT_MS,
    idleEndMs,
  });
}
