import type { MonotonicClock } from "@svc/process/clock";
import { getOrAdd } from "@svc/process/get-or-add";
import type { KillTarget } from "./check/kill-switch-index.ts";
import { ownText } from "./own-text.ts";
import type { SeenNames } from "./seen-names.ts";

/** Milliseconds for which an agent or session counts as running after its last call: 15 minutes. */
const ACTIVE_FOR_MS = 15 * 60 * 1_000;

/** Agents and sessions remembered at once, as pairs: with their tools below 100 MB at the worst. */
const MAX_REMEMBERED = 20_000;

/** Tools remembered of one agent in one session, as count. */
const MAX_TOOLS = 20;

/** No identifier is empty. */
const NO_SESSION = "";

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
  target: KillTarget;
  tools: Set<string>;
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
  /** By organization, agent and session; the empty text stands for no session. No map in it is empty. */
  readonly #seen = new Map<string, Map<string, Map<string, Seen>>>();
  /** In the order in which the pairs were first seen. */
  readonly #inOrder = new Set<Seen>();

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

  /** @param atMs when the call came, on the monotonic clock */
  note(target: KillTarget, atMs: number = this.#clock.nowMs()): void {
    const { org, agentId, sessionId } = target;
    const seen = this.#seen
      .get(org)
      ?.get(agentId)
      ?.get(sessionId ?? NO_SESSION);
    if (seen === undefined || seen.target.namespace !== target.namespace) {
      this.#remember(seen, target, atMs);
      if (seen === undefined && sessionId !== null) this.#onNewSession(target);
      return;
    }
    seen.atMs = atMs;
    if (seen.tools.has(target.tool)) return;
    const kept = { ...seen.target, tool: ownText(target.tool) };
    this.#names?.note(kept);
    if (seen.tools.size < MAX_TOOLS) seen.tools.add(kept.tool);
  }

  affected(filter: ActivityFilter): Affected {
    const agents = new Set<string>();
    const sessions = new Set<string>();
    const sinceMs = this.#clock.nowMs() - ACTIVE_FOR_MS;
    for (const seen of this.#inOrder) {
      if (seen.atMs < sinceMs || !matches(filter, seen)) continue;
      agents.add(seen.target.agentId);
      if (seen.target.sessionId !== null) sessions.add(seen.target.sessionId);
    }
    return { agents: [...agents].sort(), sessions: [...sessions].sort() };
  }

  #remember(seen: Seen | undefined, call: KillTarget, atMs: number): void {
    const target = keptTarget(call);
    const tools = new Set([target.tool]);
    this.#names?.note(target);
    if (seen === undefined) this.#add({ target, tools, atMs });
    else Object.assign(seen, { target, tools, atMs } satisfies Seen);
  }

  #add(seen: Seen): void {
    const { org, agentId, sessionId } = seen.target;
    const agents = getOrAdd(this.#seen, org, () => new Map<string, Map<string, Seen>>());
    getOrAdd(agents, agentId, () => new Map<string, Seen>()).set(sessionId ?? NO_SESSION, seen);
    this.#inOrder.add(seen);
    if (this.#inOrder.size <= MAX_REMEMBERED) return;
    const [oldest] = this.#inOrder;
    if (oldest !== undefined) this.#forget(oldest);
  }

  #forget(seen: Seen): void {
    const { org, agentId, sessionId } = seen.target;
    const agents = this.#seen.get(org);
    const sessions = agents?.get(agentId);
    sessions?.delete(sessionId ?? NO_SESSION);
    if (sessions?.size === 0) agents?.delete(agentId);
    if (agents?.size === 0) this.#seen.delete(org);
    this.#inOrder.delete(seen);
  }
}

function keptTarget({ org, namespace, agentId, sessionId, tool }: KillTarget): KillTarget {
  return {
    org,
    namespace: ownText(namespace),
    agentId: ownText(agentId),
    sessionId: sessionId === null ? null : ownText(sessionId),
    tool: ownText(tool),
  };
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
