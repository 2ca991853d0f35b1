import type { KillTarget } from "./kill-switch-index.ts";
import type { MonotonicClock } from "./ports.ts";

/** Milliseconds for which an agent or session counts as running after its last call: 15 minutes. */
const ACTIVE_FOR_MS = 15 * 60 * 1_000;

/**
 * Calls remembered at once, as distinct (namespace, agent, session, tool): bounds memory to a few megabytes.
 */
const MAX_REMEMBERED = 20_000;

/** Who would notice a kill switch. */
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

/**
 * Who has called lately: what a dry run of a kill switch reports as affected. Informational; decides nothing.
 */
export class ActivityWindow {
  readonly #clock: MonotonicClock;
  /** Oldest first: a call that is seen again moves to the end. */
  readonly #seen = new Map<string, { readonly target: KillTarget; readonly atMs: number }>();

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  note(target: KillTarget): void {
    const { org, namespace, agentId, sessionId, tool } = target;
    const key = `${org}\n${namespace}\n${agentId}\n${sessionId ?? ""}\n${tool}`;
    this.#seen.delete(key);
    this.#seen.set(key, { target: { org, namespace, agentId, sessionId, tool }, atMs: this.#clock.nowMs() });
    if (this.#seen.size <= MAX_REMEMBERED) return;
    for (const oldest of this.#seen.keys()) {
      this.#seen.delete(oldest);
      return;
    }
  }

  affected(filter: ActivityFilter): Affected {
    const agents = new Set<string>();
    const sessions = new Set<string>();
    const sinceMs = this.#clock.nowMs() - ACTIVE_FOR_MS;
    for (const { target, atMs } of this.#seen.values()) {
      if (atMs < sinceMs || !matches(filter, target)) continue;
      agents.add(target.agentId);
      if (target.sessionId !== null) sessions.add(target.sessionId);
    }
    return { agents: [...agents].sort(), sessions: [...sessions].sort() };
  }
}

function matches(filter: ActivityFilter, target: KillTarget): boolean {
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
      return target.tool === filter.targetId;
  }
}
