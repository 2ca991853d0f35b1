import { setImmediate as nextTurn } from "node:timers/promises";
import { faultFields } from "@svc/contract/fault-fields";
import type { MonotonicClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import { RepeatedWork } from "@svc/process/repeated-work";
import type { Timers } from "@svc/process/timers";
import type { SupervisionStore } from "@svc/store/ports/supervision-store";
import { type Containments, ContainmentWork } from "./containment-work.ts";
import { StepWriter, type WriteTransitions } from "./step-writer.ts";
import { Watch, type WatchParts } from "./watch.ts";

/** Milliseconds between two looks. With SETTLE_MS it bounds how late a step comes: below one second. */
const LOOK_EVERY_MS = 250;

/** Milliseconds between two notes of how far was watched: so much silence a crash can cost. */
const NOTE_EVERY_MS = 1_000;

/** Changed sessions that one question reads, as count. */
const NEWS_AT_ONCE = 2_000;

/** Sessions that one question reads when a process takes the lead, as count. */
const PAGE = 1_000;

/** Longest pause in milliseconds after which a supervisor goes on as if it had watched all the time. */
export const STALL_MS = 5_000;

export interface SupervisorParts extends WatchParts {
  readonly store: Pick<
    SupervisionStore,
    "news" | "watched" | "watchSpans" | "saveWatchSpans" | "noteContainment"
  >;
  readonly write: WriteTransitions;
  readonly containments: Containments;
  /** Whether this process leads. It may lose the lead at any moment; the store compares versions, too. */
  readonly leads: () => boolean;
  readonly clock: MonotonicClock;
  readonly timers: Timers;
  readonly log: Logger;
}

/** What a process knows while it leads. All of it is dropped with the lead. */
interface Lead {
  readonly watch: Watch;
  readonly writer: StepWriter;
  readonly containment: ContainmentWork;
  cursor: string;
  /** On the monotonic clock. */
  readAtMs: number;
  notedAtMs: number;
}

/**
 * Supervises the sessions of all organizations while its process leads: reads the heartbeats that the store
 * has, and writes what their absence means. It keeps nothing that the store does not have, so another process
 * can go on at any moment.
 */
export class Supervisor {
  readonly #parts: SupervisorParts;
  #lead: Lead | null = null;
  readonly #looks: RepeatedWork;
  #isFailing = false;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    this.#looks = new RepeatedWork(parts.timers, async () => {
      await this.look();
      return LOOK_EVERY_MS;
    });
  }

  /** How many sessions this process supervises: 0 while another one leads. */
  get size(): number {
    return this.#lead?.watch.size ?? 0;
  }

  start(): void {
    this.#looks.start(LOOK_EVERY_MS);
  }

  /** Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    await this.#looks.stop();
    await this.idle();
    this.#lead = null;
  }

  /** Resolves when every step and everything that follows from it is stored, or has failed. */
  async idle(): Promise<void> {
    await this.#lead?.writer.idle();
    await this.#lead?.containment.idle();
  }

  /** Reads what is new, and begins what is due. Never rejects. */
  async look(): Promise<void> {
    try {
      const lead = await this.#takeLead();
      if (lead === null || !(await this.#read(lead))) return this.#leave();
      await this.#note(lead);
      for (const _ of lead.watch.conclude()) await nextTurn();
      lead.writer.pump();
      lead.containment.pump();
      if (this.#isFailing) this.#parts.log.info({}, "heartbeats are supervised again");
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing)
        this.#parts.log.error(faultFields(error), "heartbeats are not supervised: the store did not answer");
      this.#isFailing = true;
    }
  }

  #leave(): void {
    if (this.#lead !== null) this.#parts.log.info({}, "another process supervises heartbeats now");
    this.#lead = null;
  }

  async #takeLead(): Promise<Lead | null> {
    const { leads, store, log } = this.#parts;
    if (!leads()) return null;
    if (this.#lead !== null) return this.#lead;
    const watch = new Watch(await store.watchSpans(), this.#parts);
    const { cursor, nowMs: storeMs } = await this.#ask(null);
    const lead = this.#newLead(watch, cursor);
    watch.read({ storeMs, askedMs: lead.readAtMs, answeredMs: lead.readAtMs });
    let after: string | null = null;
    do {
      const page = await store.watched({ limit: PAGE, after });
      if (page === "bad_cursor") throw new Error("the store does not know the page that it named");
      for (const session of page.items) watch.tell(session);
      after = page.next;
    } while (after !== null);
    if (!leads()) return null;
    log.info({ sessions: watch.size }, "this process supervises heartbeats");
    this.#lead = lead;
    return lead;
  }

  #newLead(watch: Watch, cursor: string): Lead {
    const { clock, leads, write, containments, store, log, stallMs } = this.#parts;
    const nowMs = clock.nowMs();
    // A process that was paused knows nothing of the time between, and has to read before it acts.
    const mayAct = (): boolean =>
      !this.#looks.isStopped && leads() && this.#lead === lead && clock.nowMs() - lead.readAtMs <= stallMs;
    const onStep = (): void => containment.pump();
    const writer = new StepWriter({ watch, write, mayAct, onStep, log });
    const containment = new ContainmentWork({ watch, containments, store, mayAct, clock, log });
    const lead: Lead = { watch, writer, containment, cursor, readAtMs: nowMs, notedAtMs: nowMs };
    return lead;
  }

  #ask(cursor: string | null) {
    return this.#parts.store.news(cursor, NEWS_AT_ONCE);
  }

  /** @returns whether this process still leads */
  async #read(lead: Lead): Promise<boolean> {
    const { clock, leads, log } = this.#parts;
    for (;;) {
      const askedMs = clock.nowMs();
      const news = await this.#ask(lead.cursor);
      const answeredMs = clock.nowMs();
      if (!leads()) return false;
      const pausedMs = answeredMs - lead.readAtMs;
      const course = lead.watch.read({ storeMs: news.nowMs, askedMs, answeredMs });
      if (course !== "continued")
        log.warn({ course, paused_ms: Math.round(pausedMs) }, "no severity rises for one interval");
      for (const session of news.sessions) lead.watch.tell(session);
      lead.cursor = news.cursor;
      lead.readAtMs = answeredMs;
      if (!news.isMore) return true;
    }
  }

  /**
   * Notes how far was watched. Where that cannot be written, heartbeats cannot be stored either: nothing is
   * concluded then, and that time is a gap.
   */
  async #note(lead: Lead): Promise<void> {
    const { watch, readAtMs, notedAtMs } = lead;
    const sinceMs = readAtMs - notedAtMs;
    if (watch.size > 0) {
      if (sinceMs < NOTE_EVERY_MS) return;
      await this.#parts.store.saveWatchSpans(watch.spans);
      watch.noteGap(sinceMs - NOTE_EVERY_MS);
    }
    lead.notedAtMs = readAtMs;
  }
}
