import { faultFields } from "@svc/contract/fault-fields";
import { type ExpiryPorts, expireApproval } from "./expire-approval.ts";

/** Milliseconds between two looks for approvals whose time is over. Their end counts before it is written. */
const LOOK_EVERY_MS = 5_000;

/** Approvals that one look ends, as count: each is a transaction. The rest follows at once. */
const AT_ONCE = 100;

/**
 * Writes down which approvals have ended by time. Nobody depends on its punctuality: who resolves an approval
 * or uses a grant compares the time itself.
 */
export class ApprovalExpiry {
  readonly #ports: ExpiryPorts;
  #cancel: (() => void) | null = null;
  #working: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(ports: ExpiryPorts) {
    this.#ports = ports;
  }

  start(): void {
    this.#arm(LOOK_EVERY_MS);
  }

  /** Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#working;
  }

  /** Ends what is overdue. @returns whether there may be more */
  async look(): Promise<boolean> {
    const { approvals, clock, log, leads } = this.#ports;
    if (!leads()) return false;
    try {
      const overdue = await approvals.overdue(clock.now().getTime(), AT_ONCE);
      for (const approval of overdue) {
        if (this.#stopped || !leads()) return false;
        await expireApproval(this.#ports, approval);
      }
      return overdue.length === AT_ONCE;
    } catch (error) {
      log.error(faultFields(error), "the end of approvals could not be stored; they cannot be resolved");
      return false;
    }
  }

  #arm(delayMs: number): void {
    if (this.#stopped) return;
    this.#cancel = this.#ports.timers.after(delayMs, () => {
      this.#working = this.look().then((isMore) => this.#arm(isMore ? 0 : LOOK_EVERY_MS));
    });
  }
}
