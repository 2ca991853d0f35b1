import { faultFields } from "@svc/contract/fault-fields";
import type { ReplayRecord, ReplayResult } from "@svc/contract/replay";
import type { ReplayOrder } from "@svc/policy-analysis/replay-exchange";
import type { MonotonicClock, WallClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { RecordedCallStore } from "@svc/store/ports/recorded-call-store";
import type { LeftReplay, ReplayStore, StoredReplay } from "@svc/store/ports/replay-store";
import { parseJson } from "@svc/text/parse-json";
import { type RowThread, workOnRows } from "./recorded-rows.ts";
import { parseReplayWork } from "./replay-work.ts";

/** Replays that run at once, as count. Their pages take turns at the thread. */
const MAX_RUNNING = 2;

/** Milliseconds between two writes of the progress of a replay. */
const PROGRESS_MS = 1_000;

export interface ReplayRunnerOptions {
  readonly replays: ReplayStore;
  readonly recordedCalls: Pick<RecordedCallStore, "page">;
  readonly thread: RowThread;
  readonly clock: MonotonicClock & WallClock;
  readonly log: Logger;
  /** The log of this process. */
  readonly owner: string;
  /** The key that the digests of rows are made with. */
  readonly digestKey: string;
}

interface Job {
  readonly org: string;
  readonly order: ReplayOrder;
  record: ReplayRecord;
  isCancelled: boolean;
}

/** How often a replay is begun, as count. One that may be what ends its process must not do so for ever. */
const MAX_STARTS = 3;

const LEFT_BEHIND = "The process that ran this replay ended. Start the replay again.";
const ENDED_TOO_OFTEN =
  `The process that ran this replay ended ${String(MAX_STARTS)} times before the replay was over. ` +
  "Choose a shorter range, and start the replay again.";

/** Runs the replays of this process: two at a time, and organizations in turn. */
export class ReplayRunner {
  readonly #options: ReplayRunnerOptions;
  readonly #waiting: Job[] = [];
  readonly #running = new Map<Job, Promise<void>>();
  #isClosed = false;

  constructor(options: ReplayRunnerOptions) {
    this.#options = options;
  }

  /** Begins the replays again that this process had when it ended: what was counted then is gone. */
  async recover(): Promise<void> {
    const { replays, owner } = this.#options;
    for (const left of await replays.takeUpReplays(owner)) await this.#recover(left);
  }

  async #recover({ org, replay: { record }, work, starts }: LeftReplay): Promise<void> {
    const { replays, digestKey } = this.#options;
    const reason = starts > MAX_STARTS ? ENDED_TOO_OFTEN : LEFT_BEHIND;
    if (work === null || starts > MAX_STARTS) {
      await replays.updateReplay(org, this.#ended(record, { status: "failed", reason }));
      return;
    }
    const { id, since, until, progress } = record;
    const order = { id, org, since, until, digestKey, ...parseReplayWork(work) };
    const again: ReplayRecord = { ...record, status: "queued", progress: { ...progress, rows_read: 0 } };
    if (await replays.updateReplay(org, this.stored(again))) this.enqueue(org, again, order);
  }

  /** How many replays of a key wait or run here. */
  activeOf(org: string, key: string): number {
    const all = [...this.#waiting, ...this.#running.keys()];
    return all.filter((job) => job.org === org && job.record.created_by === key).length;
  }

  stored(record: ReplayRecord): StoredReplay {
    return { record, owner: this.#options.owner, updatedAtMs: this.#options.clock.now().getTime() };
  }

  enqueue(org: string, record: ReplayRecord, order: ReplayOrder): void {
    this.#waiting.push({ org, record, order, isCancelled: false });
    this.#startNext();
  }

  /** Ends the work on a replay, which its caller has marked as ended in the store. */
  cancel(org: string, id: string): void {
    const at = this.#waiting.findIndex((job) => job.org === org && job.record.id === id);
    if (at !== -1) this.#waiting.splice(at, 1);
    for (const job of this.#running.keys())
      if (job.org === org && job.record.id === id) job.isCancelled = true;
  }

  /** The replays that wait or run are begun again by the next start of this process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.splice(0);
    for (const job of this.#running.keys()) job.isCancelled = true;
    await Promise.all(this.#running.values());
  }

  #startNext(): void {
    while (!this.#isClosed && this.#running.size < MAX_RUNNING) {
      const busy = new Set([...this.#running.keys()].map(({ org }) => org));
      const fair = this.#waiting.findIndex(({ org }) => !busy.has(org));
      const [job] = this.#waiting.splice(Math.max(0, fair), 1);
      if (job === undefined) return;
      const work = this.#run(job).finally(() => {
        this.#running.delete(job);
        this.#startNext();
      });
      this.#running.set(job, work);
    }
  }

  async #run(job: Job): Promise<void> {
    const { log, recordedCalls, thread } = this.#options;
    let writtenAtMs = Number.NEGATIVE_INFINITY;
    const goesOn = async (rowsRead: number): Promise<boolean> => {
      if (job.isCancelled) return false;
      const nowMs = this.#options.clock.nowMs();
      if (nowMs - writtenAtMs < PROGRESS_MS) return true;
      writtenAtMs = nowMs;
      return this.#noteProgress(job, rowsRead);
    };
    try {
      if (!(await goesOn(0))) return;
      const end = await workOnRows({ thread, recordedCalls, goesOn }, job.order);
      if (end.kind === "refused") await this.#end(job, { status: "failed", reason: end.reason });
      if (end.kind !== "done") return;
      const result = parseJson(end.text) as ReplayResult;
      const { rows_total } = job.record.progress;
      await this.#end(job, { status: "completed", result, progress: { rows_read: rows_total, rows_total } });
    } catch (error) {
      // Its thread ends with the process.
      if (this.#isClosed) return;
      log.error({ ...faultFields(error), replay_id: job.record.id }, "a replay failed");
      const reason = "The replay could not be carried out. The log of the server has the cause.";
      await this.#end(job, { status: "failed", reason });
    }
  }

  /** False: the replay has ended in the store, for example because an operator cancelled it. */
  async #noteProgress(job: Job, rowsRead: number): Promise<boolean> {
    const { replays } = this.#options;
    const { rows_total } = job.record.progress;
    job.record = { ...job.record, status: "running", progress: { rows_read: rowsRead, rows_total } };
    // Those that wait are not left behind either.
    for (const waiting of this.#waiting) await replays.updateReplay(waiting.org, this.stored(waiting.record));
    return replays.updateReplay(job.org, this.stored(job.record));
  }

  async #end(job: Job, known: Partial<ReplayRecord>): Promise<void> {
    const { replays, log } = this.#options;
    try {
      await replays.updateReplay(job.org, this.#ended(job.record, known));
    } catch (error) {
      log.error({ ...faultFields(error), replay_id: job.record.id }, "the end of a replay was not stored");
    }
  }

  #ended(record: ReplayRecord, known: Partial<ReplayRecord>): StoredReplay {
    return this.stored({ ...record, ...known, ended_at: this.#options.clock.now().toISOString() });
  }
}
