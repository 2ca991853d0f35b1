import { faultFields } from "@svc/contract/fault-fields";
import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { ControlPlanePorts, TtlWatch } from "../ports.ts";
import { type ExpiryPorts, expireKillSwitch } from "./expire-kill-switch.ts";

/** Longest delay of a timer in milliseconds: beyond 2^31 - 1 Node fires at once. */
const MAX_TIMER_MS = 2_147_483_647;

/** Milliseconds until an end that the store did not confirm is tried again; doubled with each failure. */
const FIRST_RETRY_MS = 250;

/** Longest pause between two tries in milliseconds: bounds how late an end comes after an outage. */
const MAX_RETRY_MS = 30_000;

/** Ends kill switches when their time is over. Nothing else does: gateways never judge by the clock. */
export interface TtlExpiry extends TtlWatch {
  /**
   * Takes over every timed switch in the store; the overdue ones end first.
   * @throws when the store cannot be read; then nothing is taken over.
   */
  start(): Promise<void>;
  /** Resolves when nothing runs any more; what was not ended yet is taken over by the next start. */
  stop(): Promise<void>;
}

export function createTtlExpiry(ports: ExpiryPorts & Pick<ControlPlanePorts, "controlFeed">): TtlExpiry {
  return new Deadlines(ports);
}

/** A switch and when to end it, on the monotonic clock: a jump of the wall clock moves no end. */
interface Deadline {
  readonly org: string;
  readonly id: string;
  /** The end that this deadline is for: a switch that was given a later one lives on. */
  readonly expiresAt: string;
  readonly atMs: number;
  readonly failures: number;
}

class Deadlines implements TtlExpiry {
  readonly #ports: Parameters<typeof createTtlExpiry>[0];
  /** By kill switch id: how to call off the timer of its deadline. */
  readonly #armed = new Map<string, () => void>();
  /** Over, and waiting for their turn: one at a time, so that a thousand at once do not crowd the store. */
  readonly #due: Deadline[] = [];
  #working: Promise<void> | null = null;
  #stopped = false;

  constructor(ports: Parameters<typeof createTtlExpiry>[0]) {
    this.#ports = ports;
  }

  async start(): Promise<void> {
    this.#stopped = false;
    const { clock, controlFeed } = this.#ports;
    const { changes } = await controlFeed.snapshot();
    const now = clock.now().getTime();
    for (const { org, change } of changes) {
      if (change.kind !== "kill_switch" || change.record.status !== "active") continue;
      const { kill_switch_id: killSwitchId } = change.record;
      const remainingMs = remaining(change.record, now);
      const { expires_at: expiresAt } = change.record;
      if (remainingMs !== null && expiresAt !== null && !this.#armed.has(killSwitchId))
        this.watch({ org, killSwitchId, expiresAt, remainingMs });
    }
  }

  watch({ org, killSwitchId, expiresAt, remainingMs }: Parameters<TtlWatch["watch"]>[0]): void {
    const atMs = this.#ports.clock.nowMs() + remainingMs;
    this.#arm({ org, id: killSwitchId, expiresAt, atMs, failures: 0 });
  }

  forget(killSwitchId: string): void {
    this.#armed.get(killSwitchId)?.();
    this.#armed.delete(killSwitchId);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#due.length = 0;
    for (const id of this.#armed.keys()) this.forget(id);
    await this.#working;
  }

  #arm(deadline: Deadline): void {
    if (this.#stopped) return;
    this.forget(deadline.id);
    const delayMs = Math.min(Math.max(deadline.atMs - this.#ports.clock.nowMs(), 0), MAX_TIMER_MS);
    this.#armed.set(
      deadline.id,
      this.#ports.timers.after(delayMs, () => this.#wake(deadline)),
    );
  }

  #wake(deadline: Deadline): void {
    // A timer may be a millisecond early, and a long delay comes in several pieces.
    if (this.#ports.clock.nowMs() < deadline.atMs) return this.#arm(deadline);
    this.#armed.delete(deadline.id);
    this.#due.push(deadline);
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    for (let next = this.#due.shift(); next !== undefined; next = this.#due.shift()) {
      await this.#end(next);
    }
    this.#working = null;
  }

  async #end(deadline: Deadline): Promise<void> {
    const { org, id, failures } = deadline;
    try {
      const extended = await expireKillSwitch(this.#ports, deadline);
      if (extended !== null) this.#watchExtended(org, extended);
    } catch (error) {
      const retryMs = Math.min(FIRST_RETRY_MS * 2 ** failures, MAX_RETRY_MS);
      const fields = { ...faultFields(error), kill_switch_id: id, retry_ms: retryMs };
      this.#ports.log.error(fields, "kill switch is overdue and stays in force: its end could not be stored");
      this.#arm({ ...deadline, atMs: this.#ports.clock.nowMs() + retryMs, failures: failures + 1 });
    }
  }

  /**
   * Whoever extended a switch tells its new end, but not when the store took the extension and failed to
   * confirm it.
   */
  #watchExtended(org: string, record: KillSwitchRecord): void {
    const { kill_switch_id: killSwitchId, expires_at: expiresAt } = record;
    const remainingMs = remaining(record, this.#ports.clock.now().getTime());
    if (remainingMs === null || expiresAt === null || this.#armed.has(killSwitchId)) return;
    this.watch({ org, killSwitchId, expiresAt, remainingMs });
  }
}

/** What is left of a switch's life; null: endless. At most its whole life, should the clock be set back. */
function remaining({ activated_at, expires_at }: KillSwitchRecord, nowEpochMs: number): number | null {
  if (expires_at === null) return null;
  const endMs = Date.parse(expires_at);
  return Math.min(Math.max(endMs - nowEpochMs, 0), endMs - Date.parse(activated_at));
}
