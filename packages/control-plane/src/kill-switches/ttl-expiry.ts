import { faultFields } from "@svc/contract/fault-fields";
import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { ControlSubscriber } from "@svc/control-feed/control-subscriber";
import type { ControlEvent, ControlSnapshot } from "@svc/store/ports/control-change";
import { type ExpiryPorts, expireKillSwitch } from "./expire-kill-switch.ts";

/** Longest delay of a timer in milliseconds: beyond 2^31 - 1 Node fires at once. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Milliseconds before the first retry of an end that the store did not confirm. Each failure
 * doubles the pause.
 */
const FIRST_RETRY_MS = 250;

/** Longest pause between two attempts, in milliseconds. It bounds how late a switch ends after an outage. */
const MAX_RETRY_MS = 30_000;

/** Milliseconds between looks whether this process leads meanwhile, while a switch is overdue. */
const LEAD_LOOK_MS = 250;

/** A switch and when to end it. */
interface Deadline {
  readonly org: string;
  readonly id: string;
  /** The end that this deadline is for. A switch that has a later end by now stays active. */
  readonly expiresAt: string;
  /** On the monotonic clock, so that a jump of the wall clock does not move an end. */
  readonly atMs: number;
  readonly failures: number;
}

interface Armed {
  readonly deadline: Deadline;
  /** Cancels the timer. A deadline that is due has no timer. */
  readonly cancel: () => void;
}

/**
 * Ends kill switches when their time is over. Nothing else does: gateways never judge by the clock. It learns
 * of switches only from the control feed, so it also ends those that another process activated. While the
 * feed cannot be read, a switch may end late. No switch ends early, because the store ends only a switch that
 * still has that end.
 */
export class TtlExpiry implements ControlSubscriber {
  readonly #ports: ExpiryPorts;
  #revision = 0;
  /** Every active switch that has an end, by kill switch id. */
  readonly #armed = new Map<string, Armed>();
  /**
   * Switches whose time is over. They end one at a time, so that a thousand at once do not
   * overload the store.
   */
  readonly #due: Deadline[] = [];
  #working: Promise<void> | null = null;
  #stopped = false;

  constructor(ports: ExpiryPorts) {
    this.#ports = ports;
  }

  get revision(): number {
    return this.#revision;
  }

  *load({ revision, changes }: ControlSnapshot): Generator<undefined, void> {
    const ending: { readonly org: string; readonly record: KillSwitchRecord }[] = [];
    for (const { org, change } of changes) {
      if (change.kind !== "kill_switch" || change.record.expires_at === null) continue;
      ending.push({ org, record: change.record });
      yield;
    }
    const left = new Set(this.#armed.keys());
    for (const { org, record } of ending) {
      this.#follow(org, record);
      left.delete(record.kill_switch_id);
    }
    for (const id of left) this.#forget(id);
    this.#revision = revision;
  }

  apply({ revision, org, change }: ControlEvent): void {
    if (change.kind === "kill_switch") this.#follow(org, change.record);
    this.#revision = revision;
  }

  /** Resolves when nothing runs any more. The next start learns of the switches that were not ended yet. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#due.length = 0;
    for (const id of this.#armed.keys()) this.#forget(id);
    await this.#working;
  }

  #follow(org: string, record: KillSwitchRecord): void {
    const { kill_switch_id: id, expires_at: expiresAt, status } = record;
    if (status !== "active" || expiresAt === null) return this.#forget(id);
    // A known deadline is kept: a snapshot that arrives after a jump of the wall clock must not move an end.
    if (this.#armed.get(id)?.deadline.expiresAt === expiresAt) return;
    const { clock, log } = this.#ports;
    const atMs = clock.nowMs() + remainingMs(record, expiresAt, clock.now());
    if (Number.isFinite(atMs)) return this.#arm({ org, id, expiresAt, atMs, failures: 0 });
    this.#forget(id);
    log.error({ kill_switch_id: id }, "kill switch stays in force: the end in its record cannot be read");
  }

  #forget(id: string): void {
    this.#armed.get(id)?.cancel();
    this.#armed.delete(id);
  }

  #arm(deadline: Deadline): void {
    if (this.#stopped) return;
    this.#forget(deadline.id);
    const delayMs = Math.min(Math.max(deadline.atMs - this.#ports.clock.nowMs(), 0), MAX_TIMER_MS);
    const cancel = this.#ports.timers.after(delayMs, () => this.#wake(deadline));
    this.#armed.set(deadline.id, { deadline, cancel });
  }

  #wake(deadline: Deadline): void {
    // A timer may be a millisecond early, and a long delay comes in several pieces.
    if (this.#ports.clock.nowMs() < deadline.atMs) return this.#arm(deadline);
    this.#due.push(deadline);
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    for (let next = this.#due.shift(); next !== undefined; next = this.#due.shift()) {
      if (this.#isCurrent(next)) await this.#end(next);
    }
    this.#working = null;
  }

  /** Whether, by the feed, the switch still has this end. */
  #isCurrent({ id, expiresAt }: Deadline): boolean {
    return this.#armed.get(id)?.deadline.expiresAt === expiresAt;
  }

  async #end(deadline: Deadline): Promise<void> {
    if (!this.#ports.leads()) return this.#waitForLead(deadline);
    try {
      await expireKillSwitch(this.#ports, deadline);
      if (this.#isCurrent(deadline)) this.#forget(deadline.id);
    } catch (error) {
      this.#retry(deadline, error);
    }
  }

  /** Another process ends the switch now. Until the feed says so, this one stays prepared to do it. */
  #waitForLead(deadline: Deadline): void {
    this.#arm({ ...deadline, atMs: this.#ports.clock.nowMs() + LEAD_LOOK_MS });
  }

  #retry(deadline: Deadline, error: unknown): void {
    const { clock, log } = this.#ports;
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** deadline.failures, MAX_RETRY_MS);
    const fields = { ...faultFields(error), kill_switch_id: deadline.id, retry_ms: retryMs };
    log.error(fields, "kill switch is overdue and stays in force: its end could not be stored");
    if (!this.#isCurrent(deadline)) return;
    this.#arm({ ...deadline, atMs: clock.nowMs() + retryMs, failures: deadline.failures + 1 });
  }
}

/**
 * Milliseconds until the switch ends. The result is at most its whole time to live, in case the clock
 * was set back.
 */
function remainingMs({ activated_at }: KillSwitchRecord, expiresAt: string, now: Date): number {
  const endMs = Date.parse(expiresAt);
  return Math.min(Math.max(endMs - now.getTime(), 0), endMs - Date.parse(activated_at));
}
