import type { RogueDetectionSettings } from "@svc/contract/rogue-detection";
import { SEVERITIES, type Severity } from "@svc/contract/severity";
import { type DayEvent, toggle } from "./agent-day.ts";
import { CRITICAL, EMERGENCY, INFO, naturalSeverity, WARNING } from "./model-severity.ts";
import { ToldIntervals } from "./told-intervals.ts";

/** One step of one session: `<agent> <severity> <severity after>`. */
export type ModelStep = string;

interface Session {
  readonly agent: number;
  readonly namespace: number;
  parent: number | null;
  severity: number;
  heard: boolean;
  authenticated: boolean;
  ended: boolean;
  /** Watched seconds at its last heartbeat. */
  heardAt: number;
  /** What the clock of the store said at its last heartbeat, and when it was marked as an orphan. */
  stamp: number;
  /** True second of its last heartbeat; after a change of the leader by what the clock of the store says. */
  toldAt: number;
  orphan: { at: number; stamp: number } | null;
  lost: boolean;
  lookAt: number;
  isNew: boolean;
  /** The parent at the last look. */
  seenParent: number | null;
}

const SETTLE = 0.6;

/**
 * What supervision should do, written as plainly as possible: at each look it goes through all sessions and
 * asks every rule. It knows no heap, no versions, no store and no concurrency.
 */
export class ReferenceModel {
  readonly #sessions = new Map<number, Session>();
  /** The same, as a list. */
  #all: readonly Session[] = [];
  readonly #killed = new Set<number>();
  readonly #sensitive = new Set<number>();
  readonly #settings: RogueDetectionSettings[];
  readonly #told: readonly ToldIntervals[];
  readonly #changedSettings = new Set<number>();
  /** Milliseconds that the clock of the store is ahead of true time. */
  #offset = 0;
  #hasJumped = false;
  #leader: "none" | "new" | "same" = "none";
  #watched = 0;
  #resumed = 0;
  #lastLook = 0;
  /** When somebody watched, by the clock of the store, since it was set back last. */
  #spans: { from: number; until: number }[] = [];
  #wasSetBack = false;

  constructor(settings: readonly RogueDetectionSettings[]) {
    this.#settings = [...settings];
    this.#told = settings.map(({ heartbeat }) => new ToldIntervals(heartbeat.interval_seconds));
  }

  happen(event: DayEvent, second: number): void {
    switch (event.kind) {
      case "beat":
        return this.#beat(event.agent, event.parent, second);
      case "authenticate":
      case "end":
      case "reregister":
        return this.#act(event.kind, event.agent, second);
      case "kill":
        return toggle(this.#killed, event.agent, event.isOn);
      case "sensitive":
        return toggle(this.#sensitive, event.agent, event.isOn);
      case "settings":
        this.#settings[event.namespace] = event.settings;
        // They are read with the next look.
        this.#told[event.namespace]?.change(event.settings.heartbeat.interval_seconds, second + 1);
        return void this.#changedSettings.add(event.namespace);
      case "jump":
        this.#offset += event.byMs / 1_000;
        this.#hasJumped = true;
        return;
      case "nobody_leads":
        this.#leader = "none";
        return;
      case "another_leads":
        this.#leader = "new";
    }
  }

  #act(kind: "authenticate" | "end" | "reregister", agent: number, second: number): void {
    const session = this.#sessions.get(agent);
    if (session === undefined || session.ended) return;
    if (kind === "reregister") {
      if (session.severity === EMERGENCY)
        Object.assign(session, { severity: INFO, ended: true, heard: false });
      return;
    }
    this.#hear(session, second);
    if (session.severity === EMERGENCY) return;
    session.heard = true;
    if (kind === "authenticate" && session.severity === CRITICAL) session.authenticated = true;
    if (kind === "end" && session.severity <= WARNING) session.ended = true;
  }

  #beat(agent: number, parent: number | null, second: number): void {
    const known = this.#sessions.get(agent);
    if (known === undefined || known.ended) {
      const session: Session = {
        agent,
        namespace: agent % this.#settings.length,
        parent,
        severity: known?.severity ?? INFO,
        heard: true,
        authenticated: false,
        ended: false,
        heardAt: 0,
        stamp: 0,
        toldAt: 0,
        orphan: null,
        lost: false,
        lookAt: Number.POSITIVE_INFINITY,
        isNew: true,
        seenParent: parent,
      };
      this.#sessions.set(agent, session);
      this.#all = [...this.#sessions.values()];
      return this.#hear(session, second);
    }
    this.#hear(known, second);
    if (known.severity === EMERGENCY) return;
    known.heard = true;
    known.parent = parent ?? known.parent;
  }

  /** Time passes for nobody while nobody watches, so a heartbeat then is as good as one at the next look. */
  #hear(session: Session, second: number): void {
    session.heardAt = this.#leader === "same" ? this.#watched + second - this.#lastLook : this.#watched;
    session.stamp = second + this.#offset;
    session.toldAt = second;
  }

  /** @returns the steps of this look; those of one session in their order */
  look(second: number): readonly ModelStep[] {
    if (this.#leader === "none") return [];
    this.#watch(second);
    this.#leader = "same";
    const watched = this.#watched;
    for (const session of this.#all) {
      this.#prepare(session);
      if (session.lookAt > watched || session.ended) continue;
      session.lost = session.parent !== null && !this.#isValid(session.agent, session.parent);
      session.lookAt = watched + this.#settingsOf(session).orphan_detection.parent_check_interval_seconds;
    }
    this.#changedSettings.clear();
    const steps: ModelStep[] = [];
    for (const session of this.#all) {
      if (this.#isWell(session)) continue;
      for (let to = this.#step(session, second); to !== null; to = this.#step(session, second)) {
        steps.push(`${String(session.agent)} ${nameOf(session.severity)} ${nameOf(to)}`);
        if (to !== session.severity) Object.assign(session, { heard: false, authenticated: false });
        session.severity = to;
      }
    }
    return steps;
  }

  #watch(second: number): void {
    const now = second + this.#offset;
    const last = this.#spans.at(-1);
    const isFresh = this.#leader === "new";
    if (!isFresh) this.#watched += second - this.#lastLook;
    const from = isFresh ? now : now - (second - this.#lastLook);
    if (isFresh || this.#hasJumped) {
      this.#resumed = this.#watched;
      if (last !== undefined && last.until > from + 1) {
        this.#spans = [];
        this.#wasSetBack = true;
      }
      this.#spans.push({ from, until: now });
    } else if (last !== undefined) last.until = now;
    this.#hasJumped = false;
    this.#lastLook = second;
    if (!isFresh) return;
    for (const session of this.#all) {
      this.#takeOver(session);
      const silence = Math.max(this.#watched - session.heardAt, now - session.stamp);
      session.toldAt = second - silence;
    }
  }

  /** A new leader knows what rows say. Only a clock that was set back makes them say less. */
  #takeOver(session: Session): void {
    const { orphan_detection } = this.#settingsOf(session);
    session.lost = false;
    session.lookAt =
      session.parent === null
        ? Number.POSITIVE_INFINITY
        : this.#watched + orphan_detection.parent_check_interval_seconds;
    Object.assign(session, { isNew: false, seenParent: session.parent });
    // A heartbeat after the last look of the leader before.
    session.heardAt = Math.min(session.heardAt, this.#watched);
    if (!this.#wasSetBack) return;
    const since = (stamp: number): number =>
      this.#spans.reduce((sum, { from, until }) => sum + Math.max(until - Math.max(from, stamp), 0), 0);
    session.heardAt = this.#watched - since(session.stamp);
    if (session.orphan !== null) session.orphan.at = this.#watched - since(session.orphan.stamp);
  }

  #prepare(session: Session): void {
    const isChanged = session.isNew || session.seenParent !== session.parent;
    if (!isChanged && !this.#changedSettings.has(session.namespace)) return;
    const soon = this.#watched + this.#settingsOf(session).orphan_detection.parent_check_interval_seconds;
    if (session.isNew) session.lookAt = session.parent === null ? Number.POSITIVE_INFINITY : soon;
    else if (session.seenParent !== session.parent) session.lookAt = this.#watched;
    if (this.#changedSettings.has(session.namespace) && session.parent !== null)
      session.lookAt = Math.min(session.lookAt, soon);
    session.isNew = false;
    session.seenParent = session.parent;
  }

  #isValid(agent: number, parent: number): boolean {
    const found = this.#sessions.get(parent);
    if (found === undefined || found.ended || found.severity >= CRITICAL || this.#killed.has(parent))
      return false;
    let above: number | null = parent;
    for (let count = 0; above !== null; count += 1) {
      if (above === agent || count === 32) return false;
      const next: number | null = this.#sessions.get(above)?.parent ?? null;
      above = next === null || this.#sessions.get(next)?.ended !== false ? null : next;
    }
    return true;
  }

  /** Most sessions are: this is here for speed alone. */
  #isWell(session: Session): boolean {
    const { severity, ended } = session;
    if (ended || severity === EMERGENCY) return severity !== WARNING;
    if (severity !== INFO || session.lost || session.orphan !== null) return false;
    return this.#watched - session.heardAt < this.#settingsOf(session).heartbeat.interval_seconds;
  }

  /** The severity after the next step, or null when no rule asks for one. */
  #step(session: Session, second: number): number | null {
    const { heartbeat, orphan_detection } = this.#settingsOf(session);
    const { agent, severity, orphan } = session;
    if (session.ended) return severity === WARNING ? INFO : null;
    if (severity === EMERGENCY) return null;
    const graceUntil = this.#told[session.namespace]?.graceUntil(session.toldAt) ?? 0;
    const mayRise = second >= graceUntil && this.#watched - this.#resumed >= heartbeat.interval_seconds;
    const silence = this.#watched - session.heardAt - SETTLE;
    const missed = Math.max(Math.floor(round(silence) / heartbeat.interval_seconds), 0);
    const natural = naturalSeverity(missed, heartbeat, this.#sensitive.has(agent) || orphan !== null);
    if (orphan_detection.enabled && session.lost) {
      if (orphan === null && mayRise) {
        session.orphan = { at: this.#watched, stamp: second + this.#offset };
        return Math.max(severity, WARNING);
      }
    } else if (orphan !== null) {
      session.orphan = null;
      return severity === WARNING && session.heard && natural === INFO ? INFO : severity;
    }
    if (mayRise && natural > severity) return severity + 1;
    const orphanFor = orphan === null ? 0 : round(this.#watched - orphan.at - SETTLE);
    if (
      mayRise &&
      orphan !== null &&
      severity < CRITICAL &&
      orphanFor >= orphan_detection.grace_period_seconds
    )
      return severity + 1;
    if (session.heard && session.orphan === null && natural === INFO) {
      if (severity === WARNING || (severity === CRITICAL && session.authenticated)) return INFO;
    }
    if (severity === INFO && session.heard && mayRise && missed > 0) {
      session.heard = false;
      return INFO;
    }
    return null;
  }

  #settingsOf({ namespace }: Session): RogueDetectionSettings {
    const settings = this.#settings[namespace];
    if (settings === undefined) throw new Error(`no settings of namespace ${String(namespace)}`);
    return settings;
  }
}

/** Sums of seconds with fractions are off by the last bits. */
function round(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}

function nameOf(severity: number): Severity {
  return SEVERITIES[severity] ?? "EMERGENCY";
}
