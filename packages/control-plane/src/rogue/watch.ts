import type { RogueDetectionSettings } from "@svc/contract/rogue-detection";
import type { SessionName, SupervisedSession, WatchSpan } from "@svc/store/ports/supervision-store";
import { demandedContainment } from "./demanded-containment.ts";
import { judgeParent } from "./judge-parent.ts";
import { nextStep, type Standing, type Step, toleratedGapMs, untilNextStepMs } from "./next-step.ts";
import { type Entry, SessionTable } from "./session-table.ts";
import { Uncontained } from "./uncontained.ts";
import type { RiskSource, SettingsSource } from "./watch-sources.ts";
import { type StoreReading, WatchedClock } from "./watched-clock.ts";

/** Sessions that are considered without a stop, as count: a few milliseconds. */
const AT_ONCE = 1_000;

export interface WatchParts {
  /**
   * Longest time in milliseconds between two readings that counts as watched. A supervisor that could not
   * read for longer does not know which heartbeats had nowhere to go, so that time is nobody's silence.
   */
  readonly stallMs: number;
  readonly settings: SettingsSource;
  readonly risks: RiskSource;
  /** Whether a kill switch stops the session now. */
  readonly isKilled: (name: SessionName) => boolean;
}

/**
 * What one supervisor knows while it leads, and what it concludes. It has no clock and no store: it is told
 * the time and the sessions. One look costs what has changed and what is due, not what is supervised.
 */
export class Watch {
  readonly #parts: WatchParts;
  readonly #clock: WatchedClock;
  readonly #table = new SessionTable();
  /** Sessions that were told since the last conclusion. */
  readonly #touched = new Set<Entry>();
  /** Sessions that have a step to take. */
  readonly #steps = new Set<Entry>();
  /** Sessions whose containment is not what their severity demands. */
  readonly #uncontained = new Uncontained();
  #generation: number;

  constructor(spans: readonly WatchSpan[], parts: WatchParts) {
    this.#parts = parts;
    this.#clock = new WatchedClock(spans, parts.stallMs);
    this.#generation = parts.settings.generation;
  }

  get size(): number {
    return this.#table.size;
  }

  get spans(): readonly WatchSpan[] {
    return this.#clock.spans;
  }

  get uncontained(): Uncontained {
    return this.#uncontained;
  }

  get hasSteps(): boolean {
    return this.#steps.size > 0;
  }

  read(reading: StoreReading): ReturnType<WatchedClock["read"]> {
    return this.#clock.read(reading);
  }

  /** For so long, until the last reading, nothing could be written. */
  noteGap(lengthMs: number): void {
    this.#clock.noteGap(lengthMs);
  }

  /** Takes in a session as the store has it. One that is older than what is known changes nothing. */
  tell(session: SupervisedSession): Entry | null {
    const known = this.#table.find(session);
    if (known !== null && known.session.version >= session.version) return known;
    if (isSettled(session)) {
      if (known !== null) this.#drop(known);
      return null;
    }
    const entry = known === null ? this.#add(session) : this.#update(known, session);
    this.#touched.add(entry);
    return entry;
  }

  /**
   * Concludes from everything that was told and from the time of the last reading. Stops after each thousand
   * sessions, so that the process can do other work when all of them are due at once.
   */
  *conclude(): Generator<void> {
    this.#noteSettings();
    this.#noteRisks();
    const nowMs = this.#clock.nowMs;
    let taken = 0;
    const isPieceDone = (): boolean => {
      taken += 1;
      return taken % AT_ONCE === 0;
    };
    for (let due = this.#table.due.take(nowMs); due !== null; due = this.#table.due.take(nowMs)) {
      this.#touched.add(due);
      if (isPieceDone()) yield;
    }
    // All parents are looked at before any conclusion, so that the order of sessions does not matter.
    for (const entry of this.#touched) {
      this.#lookAtParent(entry);
      if (isPieceDone()) yield;
    }
    for (const entry of this.#touched) {
      this.#consider(entry);
      if (isPieceDone()) yield;
    }
    this.#touched.clear();
  }

  /** Steps that are due now, at most so many, each of another session. They stay due until told otherwise. */
  steps(limit: number): readonly { readonly entry: Entry; readonly step: Step }[] {
    const found: { readonly entry: Entry; readonly step: Step }[] = [];
    for (const entry of this.#steps) {
      const step = nextStep(this.#standing(entry));
      if (step === null) this.#consider(entry);
      else found.push({ entry, step });
      if (found.length === limit) break;
    }
    return found;
  }

  /** What became of a step: the session as it is now, or null when the store does not have it. */
  stepped(entry: Entry, session: SupervisedSession | null): void {
    if (session === null) return this.#drop(entry);
    const now = this.tell(session);
    if (now === null) return;
    this.#touched.delete(now);
    this.#consider(now);
  }

  /** Lets the steps of other sessions go first. */
  postpone(entry: Entry): void {
    if (this.#steps.delete(entry)) this.#steps.add(entry);
  }

  contained(entry: Entry, contained: SupervisedSession["contained"]): void {
    entry.session = { ...entry.session, contained };
    this.#noteContainment(entry);
  }

  /** Whether another session of the agent is at CRITICAL or above. */
  isAgentContained({ session }: Entry): boolean {
    for (const { session: other } of this.#table.ofAgent(session.org, session.agentId)) {
      if (other.sessionId !== session.sessionId && demandedContainment(other) !== "none") return true;
    }
    return false;
  }

  settingsOf({ session }: Entry): RogueDetectionSettings {
    return this.#parts.settings.of(session.org, session.namespace);
  }

  #add(session: SupervisedSession): Entry {
    const settings = this.#parts.settings.of(session.org, session.namespace);
    const entry: Entry = {
      session,
      settings,
      heardAtMs: this.#clock.at(session.lastHeartbeatMs),
      answeredAtMs: this.#answeredAt(session),
      orphanedAtMs: this.#orphanedAt(session),
      parentLoss: null,
      parentLookMs: this.#firstLookMs(session, settings),
      dueMs: 0,
      place: -1,
    };
    this.#table.add(entry);
    return entry;
  }

  #update(entry: Entry, session: SupervisedSession): Entry {
    const before = entry.session;
    entry.session = session;
    if (session.namespace !== before.namespace) this.#applySettings(entry);
    // A time that stays the same is not read again: the clock of the store may have jumped since.
    if (session.lastHeartbeatMs !== before.lastHeartbeatMs) {
      entry.heardAtMs = this.#clock.at(session.lastHeartbeatMs);
      entry.answeredAtMs = this.#answeredAt(session);
    }
    if (session.orphanedAtMs !== before.orphanedAtMs) entry.orphanedAtMs = this.#orphanedAt(session);
    if (session.startedAtMs !== before.startedAtMs) {
      entry.parentLoss = null;
      entry.parentLookMs = this.#firstLookMs(session, entry.settings);
      return entry;
    }
    const hasNewParent =
      session.parentSessionId !== before.parentSessionId || session.parentAgentId !== before.parentAgentId;
    if (hasNewParent) entry.parentLookMs = this.#clock.nowMs;
    return entry;
  }

  #answeredAt({ lastHeartbeatMs }: SupervisedSession): number {
    return this.#clock.readAtMs - this.#clock.passedSince(lastHeartbeatMs);
  }

  #orphanedAt({ orphanedAtMs }: SupervisedSession): number | null {
    return orphanedAtMs === null ? null : this.#clock.at(orphanedAtMs);
  }

  #drop(entry: Entry): void {
    this.#table.remove(entry);
    this.#touched.delete(entry);
    this.#steps.delete(entry);
    this.#uncontained.delete(entry);
  }

  #noteSettings(): void {
    const { settings } = this.#parts;
    if (settings.generation === this.#generation) return;
    this.#generation = settings.generation;
    for (const entry of this.#table.all()) if (this.#applySettings(entry)) this.#touched.add(entry);
  }

  /** @returns whether the settings of the session are others than before */
  #applySettings(entry: Entry): boolean {
    const now = this.settingsOf(entry);
    if (now === entry.settings) return false;
    entry.settings = now;
    if (entry.session.parentSessionId !== null)
      entry.parentLookMs = Math.min(entry.parentLookMs, this.#nextLookMs(now));
    return true;
  }

  #noteRisks(): void {
    for (const { org, agentId } of this.#parts.risks.takeChanged())
      for (const entry of this.#table.ofAgent(org, agentId)) this.#touched.add(entry);
  }

  #nextLookMs({ orphan_detection }: RogueDetectionSettings): number {
    return this.#clock.nowMs + orphan_detection.parent_check_interval_seconds * 1_000;
  }

  /** Its parent may begin after it, so it is not looked at at once. */
  #firstLookMs({ parentSessionId }: SupervisedSession, settings: RogueDetectionSettings): number {
    return parentSessionId === null ? Number.POSITIVE_INFINITY : this.#nextLookMs(settings);
  }

  #lookAtParent(entry: Entry): void {
    if (entry.parentLookMs > this.#clock.nowMs) return;
    entry.parentLoss = judgeParent(this.#table, entry.session, this.#parts.isKilled);
    entry.parentLookMs = this.#nextLookMs(entry.settings);
  }

  #consider(entry: Entry): void {
    const standing = this.#standing(entry);
    if (nextStep(standing) === null) {
      this.#steps.delete(entry);
      this.#schedule(entry, standing);
    } else this.#steps.add(entry);
    this.#noteContainment(entry);
  }

  #schedule(entry: Entry, standing: Standing): void {
    const { due } = this.#table;
    if (entry.session.severity === "EMERGENCY") return due.remove(entry);
    const dueMs = Math.min(this.#clock.nowMs + untilNextStepMs(standing), entry.parentLookMs);
    // A deadline that moves away is found out when the earlier one is due: heartbeats cost the heap nothing.
    if (entry.place === -1 || dueMs < entry.dueMs) due.set(entry, dueMs);
  }

  #noteContainment(entry: Entry): void {
    const { session } = entry;
    if (session.contained === demandedContainment(session)) this.#uncontained.delete(entry);
    else this.#uncontained.add(entry);
  }

  #standing({ session, settings, heardAtMs, answeredAtMs, orphanedAtMs, parentLoss }: Entry): Standing {
    const { nowMs, readAtMs } = this.#clock;
    const { org, namespace } = session;
    return {
      session,
      settings,
      sensitiveTool: this.#parts.risks.sensitiveTool(org, session.agentId),
      silenceMs: nowMs - heardAtMs,
      orphanMs: orphanedAtMs === null ? 0 : nowMs - orphanedAtMs,
      parentLoss,
      watchedMs: this.#clock.watchedMs(toleratedGapMs(settings)),
      graceMs: this.#parts.settings.graceMs(org, namespace, readAtMs - answeredAtMs),
    };
  }
}

/** Whether nothing is left to do for a session. */
function isSettled(session: SupervisedSession): boolean {
  return session.endedAtMs !== null && session.severity === "INFO" && session.contained === "none";
}
