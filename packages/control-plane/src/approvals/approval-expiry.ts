import { faultFields } from "@svc/contract/fault-fields";
import { RepeatedWork } from "@svc/process/repeated-work";
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
  readonly #looks: RepeatedWork;

  constructor(ports: ExpiryPorts) {
    this.#ports = ports;
    this.#looks = new RepeatedWork(ports.timers, async () => ((await this.look()) ? 0 : LOOK_EVERY_MS));
  }

  start(): void {
    this.#looks.start(LOOK_EVERY_MS);
  }

  /** Resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.#looks.stop();
  }

  /** Ends what is overdue. @returns whether there may be more */
  async look(): Promise<boolean> {
    const { approvals, clock, log, leads } = this.#ports;
    if (!leads()) return false;
    try {
      const overdue = await approvals.overdue(clock.now().getTime(), AT_ONCE);
      for (const approval of overdue) {
        if (this.#looks.isStopped || !leads()) return false;
        await expireApproval(this.#ports, approval);
      }
      return overdue.length === AT_ONCE;
    } catch (error) {
      log.error(faultFields(error), "the end of approvals could not be stored; they cannot be resolved");
      return false;
    }
  }
}
