import { ALERT_CONDITIONS, type AlertCondition, type AlertRecord } from "@svc/contract/alert";
import { faultFields } from "@svc/contract/fault-fields";
import { FreshAnswer } from "@svc/process/fresh-answer";
import { createLimitedWarnings, type Warn } from "@svc/process/limited-warnings";
import { RepeatedWork } from "@svc/process/repeated-work";
import type { Timers } from "@svc/process/timers";
import type { OwnedAlert } from "@svc/store/ports/alert-store";
import type { AgentAnomaly, AnomalyStore } from "@svc/store/ports/anomaly-store";
import type { ControlPlanePorts } from "../ports.ts";
import type { ContainedAgent } from "../rogue/supervision-view.ts";
import { WATCHED_CONDITIONS } from "./alert-conditions.ts";
import type { AlertFacts, ObservedEndpoint } from "./alert-facts.ts";
import { ALERT_WATCH, alertChange } from "./alert-row.ts";
import { AlertWatch, type ChangedAlert, type FoundCondition } from "./alert-watch.ts";
import { AnomalyNews } from "./anomaly-news.ts";

/** Milliseconds between two looks. It adds to the time after which an alert is in the log. */
const LOOK_EVERY_MS = 2_000;

/** Milliseconds after which what a look has read is too old to act by: the process was paused meanwhile. */
const MAX_LOOK_MS = 10_000;

/** Anomalies that one look reads, as count: those of the last minutes, whatever happens. */
const MAX_ANOMALIES = 1_000;

export interface AlertWorkParts
  extends Pick<ControlPlanePorts, "alerts" | "processes" | "newId" | "clock" | "log" | "leads"> {
  readonly anomalies: Pick<AnomalyStore, "latestAnomalies">;
  /** Sessions at CRITICAL or above, as of the last read of control state. */
  readonly contained: () => readonly ContainedAgent[];
  /** Rejects when the store does not answer. */
  readonly endpoints: () => Promise<readonly ObservedEndpoint[]>;
  readonly timers: Timers;
  /** Another number whenever rows were committed, as of anomalies and of alerts. Null: unknown. */
  readonly news: () => number | null;
}

/**
 * Opens an alert when a condition holds, lets it say what it is about now, and resolves it when the condition
 * has ended, while its process leads. The store knows which alerts there are, so another process can go on
 * at any moment.
 */
export class AlertWork {
  readonly #parts: AlertWorkParts;
  readonly #looks: RepeatedWork;
  readonly #watch = new AlertWatch();
  readonly #warn: Warn;
  readonly #unresolved: FreshAnswer<readonly OwnedAlert[]>;
  readonly #latest: FreshAnswer<readonly AgentAnomaly[]>;
  #news = new AnomalyNews();
  #open: readonly OwnedAlert[] = [];
  #isFailing = false;
  /** Organizations that have as many alerts as they can have. */
  readonly #full = new Set<string>();

  constructor(parts: AlertWorkParts) {
    this.#parts = parts;
    this.#warn = createLimitedWarnings(parts.log);
    const { alerts, anomalies, news } = parts;
    this.#unresolved = new FreshAnswer(async () => alerts.unresolved(), news);
    this.#latest = new FreshAnswer(async () => anomalies.latestAnomalies(MAX_ANOMALIES), news);
    this.#looks = new RepeatedWork(parts.timers, async () => {
      await this.look();
      return LOOK_EVERY_MS;
    });
  }

  start(): void {
    this.#looks.start(LOOK_EVERY_MS);
  }

  /** Resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.#looks.stop();
  }

  /** Alerts that were not resolved at the last look, by condition; 0 while another process leads. */
  countOpen(): Readonly<Record<AlertCondition, number>> {
    const counts = Object.fromEntries(ALERT_CONDITIONS.map((condition) => [condition, 0]));
    for (const { record } of this.#open) counts[record.condition] = (counts[record.condition] ?? 0) + 1;
    return counts as Record<AlertCondition, number>;
  }

  /** Looks once. Never rejects. */
  async look(): Promise<void> {
    const { leads, log } = this.#parts;
    this.#open = [];
    if (!leads()) {
      // What another process has seen meanwhile is not news.
      this.#news = new AnomalyNews();
      return;
    }
    try {
      this.#open = await this.#unresolved.get();
      await this.#act(this.#open);
      if (this.#isFailing) log.info({}, "conditions are watched again");
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing)
        log.error(faultFields(error), "alerts could not be opened or resolved; Svc tries again");
      this.#isFailing = true;
    }
  }

  async #act(unresolved: readonly OwnedAlert[]): Promise<void> {
    const { clock, leads } = this.#parts;
    const startedMs = clock.nowMs();
    const facts = await this.#facts();
    const { open, change, resolve } = this.#watch.look(clock.nowMs(), facts, unresolved);
    // A process that was paused meanwhile may not lead any more, and knows old facts.
    const mayAct = () => leads() && !this.#looks.isStopped && clock.nowMs() - startedMs < MAX_LOOK_MS;
    for (const found of open) if (mayAct()) await this.#openOne(found);
    for (const changed of change) if (mayAct()) await this.#changeOne(changed);
    for (const alert of resolve) if (mayAct()) await this.#resolve(alert);
  }

  /** What cannot be read is not known, and the rest is judged all the same. */
  async #facts(): Promise<AlertFacts> {
    const { contained, clock } = this.#parts;
    const [latest, processes, endpoints] = await Promise.all([
      this.#read("anomalies", this.#latest.get()),
      this.#read("processes", this.#parts.processes()),
      this.#read("webhooks", this.#parts.endpoints()),
    ]);
    const nowMs = clock.nowMs();
    const wallMs = clock.now().getTime();
    return {
      contained: contained(),
      anomalies: latest === null ? null : this.#news.look(latest, { nowMs, wallMs }),
      processes,
      endpoints,
    };
  }

  async #read<Value>(what: string, reading: Promise<Value>): Promise<Value | null> {
    try {
      return await reading;
    } catch (error) {
      this.#warn(what, faultFields(error), `${what} cannot be read, so nobody is alerted of them`);
      return null;
    }
  }

  async #openOne({ condition, finding }: FoundCondition): Promise<void> {
    const { alerts, newId, clock, log } = this.#parts;
    const { org, subject, agent_id, summary, details } = finding;
    const { severity } = WATCHED_CONDITIONS[condition];
    const time = clock.now().toISOString();
    const record: AlertRecord = {
      id: newId("alert"),
      condition,
      severity,
      status: "open",
      subject,
      agent_id,
      summary,
      details,
      opened_at: time,
      acknowledged_at: null,
      acknowledged_by: null,
      note: null,
      resolved_at: null,
    };
    const change = alertChange({ org, principal: ALERT_WATCH, action: "opened", time }, record);
    const { kind } = await alerts.open(change);
    if (kind === "opened") log.warn({ org, alert_id: record.id, condition, summary }, "alert opened");
    if (kind !== "too_many") this.#full.delete(org);
    else if (!this.#full.has(org)) {
      this.#full.add(org);
      log.error({ org }, "this organization has as many alerts as it can have; further ones are not opened");
    }
  }

  /** Lets an alert say what its condition is true of now. */
  async #changeOne({ alert: { org, record: before }, finding: { summary, details } }: ChangedAlert) {
    const { alerts, clock, log } = this.#parts;
    const time = clock.now().toISOString();
    const record: AlertRecord = { ...before, summary, details };
    const change = alertChange({ org, principal: ALERT_WATCH, action: "changed", time }, record);
    const { kind } = await alerts.change({ ...change, before: before.status });
    // Somebody has acknowledged it meanwhile: a later look changes it.
    if (kind === "changed") log.warn({ org, alert_id: record.id, summary }, "alert changed");
  }

  async #resolve({ org, record: before }: OwnedAlert): Promise<void> {
    const { alerts, clock, log } = this.#parts;
    const time = clock.now().toISOString();
    const record: AlertRecord = { ...before, status: "resolved", resolved_at: time };
    const change = alertChange({ org, principal: ALERT_WATCH, action: "resolved", time }, record);
    const { kind } = await alerts.change({ ...change, before: before.status });
    // Somebody has acknowledged it meanwhile: the next look resolves it.
    if (kind === "changed")
      log.info({ org, alert_id: record.id, condition: record.condition }, "alert resolved");
  }
}
