import type { MonotonicClock } from "@svc/process/clock";
import type { KillTarget } from "./kill-switch-index.ts";
import type { SeenNames } from "./seen-names.ts";

/** Milliseconds for which an agent or session counts as running after its last call: 15 minutes. */
const ACTIVE_FOR_MS = 15 * 60 * 1_000;

/** Agents and sessions remembered at once, as pairs: with their tools below 100 MB at the worst. */
const MAX_REMEMBERED = 20_000;

/** Tools remembered of one agent in one session, as count. */
const MAX_TOOLS = 20;

/** The agents and sessions that a kill switch would stop. */
export interface Affected {
  readonly agents: readonly string[];
  readonly sessions: readonly string[];
}

/** Which switch is asked about: null fields match everything. */
export interface ActivityFilter {
  readonly org: string;
  readonly scope: "session" | "agent" | "tool" | "namespace" | "account";
  readonly targetId: string | null;
}

/** One agent in one session, and what it has called there. */
interface Seen {
  readonly target: KillTarget;
  readonly tools: Set<string>;
  atMs: number;
}

/**
 * The agents and sessions that called recently. A dry run of a kill switch reports them as affected.
 * Informational: it decides nothing.
 */
export class ActivityWindow {
  readonly #clock: MonotonicClock;
  readonly #onNewSession: (target: KillTarget) => void;
  readonly #names: SeenNames | null;
  /** In the order in which the pairs were first seen. */
  readonly #seen = new Map<string, Seen>();

  /**
   * @param onNewSession called for each session of an agent that this window does not hold
   * @param names receives each name that this window does not hold
   */
  constructor(
    clock: MonotonicClock,
    onNewSession: (target: KillTarget) => void = () => undefined,
    names: SeenNames | null = null,
  ) {
    this.#clock = clock;
    this.#onNewSession = onNewSession;
    this.#names = names;
  }

  note(target: KillTarget): void {
    // No identifier contains a space, so two pairs never share a key.
    const key = `${target.org} ${target.agentId} ${target.sessionId ?? ""}`;
    const seen = this.#seen.get(key);
    if (seen === undefined || seen.target.namespace !== target.namespace) {
      this.#remember(key, target);
      if (seen === undefined && target.sessionId !== null) this.#onNewSession(target);
      return;
    }
    seen.atMs = this.#clock.nowMs();
    if (seen.tools.has(target.tool)) return;
    this.#names?.note(target);
    if (seen.tools.size < MAX_TOOLS) seen.tools.add(target.tool);
  }

  affected(filter: ActivityFilter): Affected {
    const agents = new Set<string>();
    const sessions = new Set<string>();
    const sinceMs = this.#clock.nowMs() - ACTIVE_FOR_MS;
    for (const seen of this.#seen.values()) {
      if (seen.atMs < sinceMs || !matches(filter, seen)) continue;
      agents.add(seen.target.agentId);
      if (seen.target.sessionId !== null) sessions.add(seen.target.sessionId);
    }
    return { agents: [...agents].sort(), sessions: [...sessions].sort() };
  }

  #remember(key: string, { org, namespace, agentId, sessionId, tool }: KillTarget): void {
    const target = { org, namespace, agentId, sessionId, tool };
    this.#names?.note(target);
    this.#seen.set(key, { target, tools: new Set([tool]), atMs: this.#clock.nowMs() });
    if (this.#seen.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#seen.keys();
    if (oldest !== undefined) this.#seen.delete(oldest);
  }
}

function matches(filter: ActivityFilter, { target, tools }: Seen): boolean {
  if (filter.org !== target.org) return false;
  switch (filter.scope) {
    case "account":
      return true;
    case "namespace":
      return target.namespace === filter.targetId;
    case "agent":
      return target.agentId === filter.targetId;
    case "session":
      return target.sessionId === filter.targetId;
    case "tool":
      return filter.targetId !== null && tools.has(filter.targetId);
  }
}
