import { faultFields } from "@svc/contract/fault-fields";
import type { ControlSubscriber } from "@svc/control-feed/control-subscriber";
import type { ControlEvent, ControlSnapshot } from "@svc/store/ports/control-change";
import type { GovernedAgent } from "@svc/store/ports/governed-agent";
import { type EndedQuarantine, expireQuarantine, type QuarantineExpiryPorts } from "./expire-quarantine.ts";

/** Longest delay of a timer in milliseconds: beyond 2^31 - 1 Node fires at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** Milliseconds before an end is tried again that the store did not confirm. It bounds how late it comes. */
const RETRY_MS = 1_000;

/** Milliseconds between looks whether this process leads meanwhile, while a quarantine is overdue. */
const LEAD_LOOK_MS = 250;

/** Changes of a snapshot that are looked at in one step, as count. */
const CHANGES_PER_STEP = 1_000;

interface Deadline extends EndedQuarantine {
  /** On the monotonic clock, so that a jump of the wall clock does not move an end. */
  readonly atMs: number;
  readonly cancel: () => void;
}

/**
 * Ends quarantines when their time is over, as `TtlExpiry` ends kill switches: gateways never judge by the
 * clock, none ends early, and one may end late while the store does not answer.
 */
export class QuarantineExpiry implements ControlSubscriber {
  readonly #ports: QuarantineExpiryPorts;
  #revision = 0;
  /** Every quarantine that has an end, by organization and agent. */
  readonly #armed = new Map<string, Deadline>();
  #working: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(ports: QuarantineExpiryPorts) {
    this.#ports = ports;
  }

  get revision(): number {
    return this.#revision;
  }

  *load({ revision, changes }: ControlSnapshot): Generator<undefined, void> {
    const ending: { readonly org: string; readonly record: GovernedAgent }[] = [];
    for (const [at, { org, change }] of changes.entries()) {
      if (at % CHANGES_PER_STEP === 0) yield;
      if (change.kind === "agent" && change.record.quarantine !== null)
        ending.push({ org, record: change.record });
    }
    yield;
    const left = new Set(this.#armed.keys());
    for (const { org, record } of ending) {
      left.delete(keyOf(org, record.id));
      this.#follow(org, record, false);
    }
    for (const key of left) this.#forget(key);
    this.#revision = revision;
  }

  apply({ revision, org, change }: ControlEvent): void {
    if (change.kind === "agent") this.#follow(org, change.record, change.removed);
    this.#revision = revision;
  }

  /** Resolves when nothing runs any more. The next start learns of those that were not ended yet. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const key of this.#armed.keys()) this.#forget(key);
    await this.#working;
  }

  #follow(org: string, { id, quarantine }: GovernedAgent, removed: boolean): void {
    const key = keyOf(org, id);
    if (removed || quarantine === null || quarantine.until === null) return this.#forget(key);
    const { since, until } = quarantine;
    // A known deadline is kept: a snapshot that arrives after a jump of the wall clock must not move an end.
    if (this.#armed.get(key)?.until === until) return;
    const { clock } = this.#ports;
    const endMs = Date.parse(until);
    const remainingMs = Math.min(Math.max(endMs - clock.now().getTime(), 0), endMs - Date.parse(since));
    this.#arm({ org, id, until }, clock.nowMs() + remainingMs);
  }

  #forget(key: string): void {
    this.#armed.get(key)?.cancel();
    this.#armed.delete(key);
  }

  #arm(ended: EndedQuarantine, atMs: number): void {
    const key = keyOf(ended.org, ended.id);
    this.#forget(key);
    if (this.#stopped) return;
    const { clock, timers } = this.#ports;
    const delayMs = Math.min(Math.max(atMs - clock.nowMs(), 0), MAX_TIMER_MS);
    const cancel = timers.after(delayMs, () => this.#wake(key));
    this.#armed.set(key, { ...ended, atMs, cancel });
  }

  #wake(key: string): void {
    const deadline = this.#armed.get(key);
    if (deadline === undefined) return;
    // A timer may be a millisecond early, and a long delay comes in several pieces.
    if (this.#ports.clock.nowMs() < deadline.atMs) return this.#arm(deadline, deadline.atMs);
    this.#working = this.#working.then(async () => this.#end(deadline));
  }

  async #end(deadline: Deadline): Promise<void> {
    const { clock, log, leads } = this.#ports;
    const key = keyOf(deadline.org, deadline.id);
    const isCurrent = () => this.#armed.get(key) === deadline;
    if (!isCurrent()) return;
    if (!leads()) return this.#arm(deadline, clock.nowMs() + LEAD_LOOK_MS);
    try {
      await expireQuarantine(this.#ports, deadline);
      if (isCurrent()) this.#forget(key);
    } catch (error) {
      const fields = { ...faultFields(error), agent_id: deadline.id, retry_ms: RETRY_MS };
      log.error(fields, "quarantine is overdue and stays in force: its end could not be stored");
      if (isCurrent()) this.#arm(deadline, clock.nowMs() + RETRY_MS);
    }
  }
}

/** The id of an organization has no space. */
function keyOf(org: string, id: string): string {
  return `${org} ${id}`;
}
