import type { Severity } from "@svc/contract/severity";
import type {
  ChangedSeverity,
  ReceivedHeartbeat,
  SessionName,
  SeverityChange,
  SupervisedSession,
  SupervisionStore,
  WatchSpan,
} from "@svc/store/ports/supervision-store";

/** What was written of one step. */
export interface WrittenStep extends SessionName {
  readonly previous: Severity;
  readonly severity: Severity;
  readonly reason: string;
}

const nameOf = ({ org, agentId, sessionId }: SessionName): string => `${org}/${agentId}/${sessionId}`;

/**
 * The store of supervised sessions in memory, as its port describes it, with a clock that a test sets. It
 * shares nothing with the supervisor.
 */
export class SupervisionTable implements SupervisionStore {
  /** The clock of the store. */
  nowMs = 0;
  /** Runs before each call: throw for a store that does not answer. */
  before: (call: keyof SupervisionStore) => Promise<void> | void = () => undefined;
  /** Runs after each write: throw for an answer that is lost. */
  after: (call: keyof SupervisionStore) => Promise<void> | void = () => undefined;
  readonly steps: WrittenStep[] = [];
  readonly #sessions = new Map<string, SupervisedSession>();
  /** Names in the order of their changes. */
  readonly #changes: string[] = [];
  #spans: readonly WatchSpan[] = [];

  get(name: SessionName): SupervisedSession | null {
    return this.#sessions.get(nameOf(name)) ?? null;
  }

  /** Without a promise, for simulations of millions. */
  beat(heartbeat: ReceivedHeartbeat): SupervisedSession {
    const known = this.get(heartbeat);
    const atMs = this.nowMs - heartbeat.ageMs;
    if (known === null || known.endedAtMs !== null) return this.#put(begun(heartbeat, known, atMs));
    const isAhead = known.lastHeartbeatMs > this.nowMs;
    const lastHeartbeatMs = isAhead ? atMs : Math.max(known.lastHeartbeatMs, atMs);
    if (known.severity === "EMERGENCY") return this.#put({ ...known, lastHeartbeatMs });
    const mayEnd = known.severity === "INFO" || known.severity === "WARNING";
    return this.#put({
      ...known,
      namespace: heartbeat.namespace,
      parentSessionId: heartbeat.parentSessionId ?? known.parentSessionId,
      parentAgentId: heartbeat.parentSessionId === null ? known.parentAgentId : heartbeat.parentAgentId,
      lastHeartbeatMs,
      heard: true,
      endedAtMs: heartbeat.ended && mayEnd ? this.nowMs : null,
    });
  }

  authenticate(name: SessionName): void {
    const known = this.get(name);
    if (known === null || known.endedAtMs !== null || known.severity === "EMERGENCY") return;
    const reauthenticated = known.severity === "CRITICAL" || known.reauthenticated;
    this.#put({ ...known, lastHeartbeatMs: this.nowMs, heard: true, reauthenticated });
  }

  /** As an operator who registers the agent again does. */
  end(name: SessionName): void {
    const known = this.get(name);
    if (known === null) return;
    this.#put({ ...known, severity: "INFO", heard: false, reauthenticated: false, endedAtMs: this.nowMs });
  }

  async recordHeartbeats(heartbeats: readonly ReceivedHeartbeat[]) {
    await this.before("recordHeartbeats");
    return heartbeats.map((heartbeat) => ({ kind: "recorded" as const, session: this.beat(heartbeat) }));
  }

  async reauthenticate(name: SessionName) {
    await this.before("reauthenticate");
    this.authenticate(name);
    const session = this.get(name);
    return session === null ? { kind: "not_found" as const } : { kind: "noted" as const, session };
  }

  async changeSeverities(changes: readonly SeverityChange[]): Promise<readonly ChangedSeverity[]> {
    await this.before("changeSeverities");
    const changed = changes.map((change) => this.#change(change));
    await this.after("changeSeverities");
    return changed;
  }

  async noteContainment(name: SessionName, { from, to }: Parameters<SupervisionStore["noteContainment"]>[1]) {
    await this.before("noteContainment");
    const known = this.get(name);
    if (known !== null && known.contained === from) this.#put({ ...known, contained: to });
    await this.after("noteContainment");
  }

  async watched() {
    await this.before("watched");
    const items = [...this.#sessions.values()].filter(
      ({ endedAtMs, severity, contained }) =>
        endedAtMs === null || severity !== "INFO" || contained !== "none",
    );
    return { items, next: null };
  }

  async news(cursor: string | null, limit: number) {
    await this.before("news");
    const from = cursor === null ? this.#changes.length : Number(cursor);
    const until = Math.min(from + limit, this.#changes.length);
    const names = new Set(this.#changes.slice(from, until));
    const sessions = [...names].flatMap((name) => this.#sessions.get(name) ?? []);
    return { nowMs: this.nowMs, sessions, cursor: String(until), isMore: until < this.#changes.length };
  }

  async watchSpans() {
    await this.before("watchSpans");
    return this.#spans;
  }

  async saveWatchSpans(spans: readonly WatchSpan[]) {
    await this.before("saveWatchSpans");
    this.#spans = [...spans];
  }

  async session(name: SessionName) {
    return this.get(name);
  }

  async sessionsNamed(org: string, sessionId: string, limit: number) {
    return [...this.#sessions.values()]
      .filter((session) => session.org === org && session.sessionId === sessionId)
      .slice(0, limit);
  }

  async sessionsOf(org: string, agentId: string) {
    const items = [...this.#sessions.values()].filter(
      (session) => session.org === org && session.agentId === agentId,
    );
    return { items, next: null };
  }

  forgetEnded(): Promise<number> {
    return Promise.reject(new Error("no test forgets sessions here"));
  }

  #put(session: SupervisedSession): SupervisedSession {
    const name = nameOf(session);
    const stored = { ...session, version: (this.#sessions.get(name)?.version ?? 0) + 1 };
    this.#sessions.set(name, stored);
    this.#changes.push(name);
    return stored;
  }

  #change(change: SeverityChange): ChangedSeverity {
    const known = this.get(change);
    if (known === null || known.version !== change.version) return { kind: "moved", session: known };
    const { severity, reason, missedHeartbeats, orphaned, clears, ends } = change;
    const isNew = severity !== known.severity;
    const orphanedAtMs = { keep: known.orphanedAtMs, now: this.nowMs, clear: null }[orphaned];
    const session = this.#put({
      ...known,
      severity,
      reason,
      missedHeartbeats,
      orphanedAtMs,
      severitySinceMs: isNew ? this.nowMs : known.severitySinceMs,
      ...(clears || isNew ? { heard: false, reauthenticated: false } : {}),
      endedAtMs: ends ? this.nowMs : known.endedAtMs,
    });
    const { org, agentId, sessionId } = change;
    this.steps.push({ org, agentId, sessionId, previous: known.severity, severity, reason });
    return { kind: "changed", session, revision: isNew ? this.steps.length : null };
  }
}

function begun(
  heartbeat: ReceivedHeartbeat,
  known: SupervisedSession | null,
  atMs: number,
): SupervisedSession {
  const { org, agentId, sessionId, namespace, parentSessionId, parentAgentId, ended } = heartbeat;
  return {
    org,
    agentId,
    sessionId,
    namespace,
    parentSessionId,
    parentAgentId,
    version: 0,
    startedAtMs: atMs,
    lastHeartbeatMs: atMs,
    severity: known?.severity ?? "INFO",
    severitySinceMs: known?.severitySinceMs ?? atMs,
    reason: known?.reason ?? "the first heartbeat arrived",
    missedHeartbeats: 0,
    heard: true,
    reauthenticated: false,
    orphanedAtMs: null,
    endedAtMs: ended ? atMs : null,
    contained: known?.contained ?? "none",
  };
}
