import { faultFields } from "@svc/contract/fault-fields";
import type { MonotonicClock } from "@svc/process/clock";
import type { Logger } from "@svc/process/logger";
import type { SupervisedSession, SupervisionStore } from "@svc/store/ports/supervision-store";
import { demandedContainment } from "./demanded-containment.ts";
import type { Entry } from "./session-table.ts";
import type { Watch } from "./watch.ts";

/**
 * What follows from a severity outside of the ladder. Each may be repeated: the second time changes nothing.
 * Each rejects, or answers `again`, when not all of it is stored.
 */
export interface Containments {
  /** Suspends the pending approvals of the agent, once its calls are held. */
  suspend(session: SupervisedSession): Promise<"done" | "again">;
  /** Activates the kill switch of the session if `kills`, and ends its approvals. */
  terminate(session: SupervisedSession, kills: boolean): Promise<"done" | "again">;
  /** Resumes the suspended approvals of the agent. */
  resume(session: SupervisedSession): Promise<"done" | "again">;
}

/** Sessions that are contained at the same time, as count: each waits for gateways to acknowledge. */
const AT_ONCE = 16;

/** Milliseconds before the first repeat of what was not stored. Each failure doubles the pause. */
const FIRST_RETRY_MS = 250;

/** Longest pause between two attempts, in milliseconds. */
const MAX_RETRY_MS = 30_000;

export interface ContainmentWorkParts {
  readonly watch: Watch;
  readonly containments: Containments;
  readonly store: Pick<SupervisionStore, "noteContainment">;
  readonly mayAct: () => boolean;
  readonly clock: MonotonicClock;
  readonly log: Logger;
}

interface Retry {
  readonly failures: number;
  readonly notBeforeMs: number;
}

/**
 * Carries out what severities demand, beside the ladder, so that a slow gateway delays no step. The store
 * remembers what was done: what is left undone by a crash, the next leader does.
 */
export class ContainmentWork {
  readonly #parts: ContainmentWorkParts;
  /** By agent, one session of each at a time: approvals belong to the whole agent. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #retries = new WeakMap<Entry, Retry>();

  constructor(parts: ContainmentWorkParts) {
    this.#parts = parts;
  }

  pump(): void {
    const { watch, clock, mayAct } = this.#parts;
    if (!mayAct()) return;
    const nowMs = clock.nowMs();
    for (const [agent, entries] of watch.uncontained.agents) {
      if (this.#running.size === AT_ONCE) return;
      const entry = this.#running.has(agent) ? null : this.#firstOf(entries, nowMs);
      if (entry === null) continue;
      watch.uncontained.noteTurn(agent);
      const work = this.#contain(entry).finally(() => {
        this.#running.delete(agent);
        this.pump();
      });
      this.#running.set(agent, work);
    }
  }

  /** The first session that does not wait for its next attempt. */
  #firstOf(entries: Iterable<Entry>, nowMs: number): Entry | null {
    for (const entry of entries) if ((this.#retries.get(entry)?.notBeforeMs ?? 0) <= nowMs) return entry;
    return null;
  }

  /** Resolves when nothing is being done. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  async #contain(entry: Entry): Promise<void> {
    const { watch, store } = this.#parts;
    const { session } = entry;
    const to = demandedContainment(session);
    try {
      if ((await this.#act(entry)) === "again") return this.#retry(entry, {});
      await store.noteContainment(session, { from: session.contained, to });
      this.#retries.delete(entry);
      watch.contained(entry, to);
    } catch (error) {
      this.#retry(entry, faultFields(error));
    }
  }

  async #act(entry: Entry): Promise<"done" | "again"> {
    const { watch, containments } = this.#parts;
    const { session } = entry;
    switch (demandedContainment(session)) {
      case "none":
        return watch.isAgentContained(entry) ? "done" : containments.resume(session);
      case "suspended":
        return containments.suspend(session);
      case "terminated":
        return containments.terminate(session, watch.settingsOf(entry).escalation.auto_kill_on_emergency);
    }
  }

  #retry(entry: Entry, fields: object): void {
    const { clock, log } = this.#parts;
    const failures = this.#retries.get(entry)?.failures ?? 0;
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS);
    this.#retries.set(entry, { failures: failures + 1, notBeforeMs: clock.nowMs() + retryMs });
    const { org, agentId, sessionId, severity } = entry.session;
    const session = { org, agent_id: agentId, session_id: sessionId, severity, retry_ms: retryMs };
    log.error({ ...fields, ...session }, "what the severity of a session demands is not stored yet");
  }
}
