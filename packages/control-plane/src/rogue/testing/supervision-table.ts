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
import {
  afterChange,
  afterHeartbeat,
  afterReauthentication,
  type Write,
} from "@svc/store/testing/session-writes";

/** What was written of one step. */
export interface WrittenStep extends SessionName {
  readonly previous: Severity;
  readonly severity: Severity;
  readonly reason: string;
}

const nameOf = ({ org, agentId, sessionId }: SessionName): string => `${org}/${agentId}/${sessionId}`;

/**
 * The store of supervised sessions in memory, with a clock that a test sets. The code of the real stores
 * decides what a write makes of a session. It shares nothing with the supervisor.
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
    return this.#put(afterHeartbeat(this.get(heartbeat), heartbeat, this.#write(heartbeat)));
  }

  authenticate(name: SessionName): void {
    const known = this.get(name);
    if (known === null || known.endedAtMs !== null) return;
    this.#put(afterReauthentication(known, this.#write(name)));
  }

  /** As an operator who registers the agent again does. */
  end(name: SessionName): void {
    const known = this.get(name);
    if (known === null) return;
    const { version, nowMs } = this.#write(name);
    const calm = { severity: "INFO", heard: false, reauthenticated: false } as const;
    this.#put({ ...known, ...calm, version, endedAtMs: nowMs });
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
    if (known !== null && known.contained === from)
      this.#put({ ...known, contained: to, version: this.#write(name).version });
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

  /** The next write of a session. */
  #write(name: SessionName): Write {
    return { version: (this.get(name)?.version ?? 0) + 1, nowMs: this.nowMs };
  }

  #put(session: SupervisedSession): SupervisedSession {
    const name = nameOf(session);
    this.#sessions.set(name, session);
    this.#changes.push(name);
    return session;
  }

  #change(change: SeverityChange): ChangedSeverity {
    const known = this.get(change);
    if (known === null || known.version !== change.version) return { kind: "moved", session: known };
    const session = this.#put(afterChange(known, change, this.#write(change)));
    const { org, agentId, sessionId, severity, reason } = change;
    this.steps.push({ org, agentId, sessionId, previous: known.severity, severity, reason });
    return { kind: "changed", session, revision: severity === known.severity ? null : this.steps.length };
  }
}
