import { faultFields } from "@svc/contract/fault-fields";
import { MAX_APPROVAL_WAITERS, MAX_APPROVAL_WAITERS_PER_KEY } from "@svc/contract/limits";
import type { Logger } from "@svc/process/logger";
import { SharedSlots, type SlotRefusal } from "@svc/process/shared-slots";
import type { Timers } from "@svc/process/timers";
import type { ApprovalStore } from "@svc/store/ports/approval-store";

/** Milliseconds between two looks at the store for changes that another process made. */
const LOOK_EVERY_MS = 250;

const NOT_READ = "approvals that requests wait for could not be read: it is tried again until they can";

export interface ApprovalWaitsOptions {
  readonly approvals: Pick<ApprovalStore, "versions">;
  readonly timers: Timers;
  readonly log: Logger;
}

export interface AwaitedApproval {
  readonly org: string;
  readonly id: string;
  /** The version that the caller knows. */
  readonly version: number;
  /** Id of the key that waits. */
  readonly key: string;
  readonly waitMs: number;
  /** Ends the wait early, because nobody is there to answer any more. */
  readonly signal: AbortSignal;
}

/**
 * `over`: the time is over, or nobody waits any more. `stopped`: this process ends and answers at once.
 * `full`: this request may not wait.
 */
export type WaitResult =
  | { readonly kind: "changed" | "over" | "stopped" }
  | {
      readonly kind: "full";
      readonly limit: SlotRefusal;
      /** Requests of the organization that wait. */
      readonly ofOrg: number;
    };

interface Waiter {
  readonly awaited: AwaitedApproval;
  readonly settle: (result: "changed" | "over" | "stopped") => void;
}

/**
 * Requests that wait until an approval changes. A wait holds a timer and no thread. One look at the store
 * serves all of them; a change in this process wakes them at once.
 */
export class ApprovalWaits {
  readonly #options: ApprovalWaitsOptions;
  readonly #waiters = new Set<Waiter>();
  readonly #slots = new SharedSlots({ most: MAX_APPROVAL_WAITERS, ofKey: MAX_APPROVAL_WAITERS_PER_KEY });
  #cancelLook: (() => void) | null = null;
  #isFailing = false;
  #stopped = false;

  constructor(options: ApprovalWaitsOptions) {
    this.#options = options;
  }

  /** Resolves when the approval has another version than this one, or the wait is over. */
  async wait(awaited: AwaitedApproval): Promise<WaitResult> {
    if (this.#stopped) return { kind: "stopped" };
    if (awaited.signal.aborted) return { kind: "over" };
    const limit = this.#slots.refusal(awaited);
    if (limit !== null) return { kind: "full", limit, ofOrg: this.#slots.heldBy(awaited.org) };
    const giveBack = this.#slots.take(awaited);
    return new Promise((resolve) => {
      const end = (): void => waiter.settle("over");
      const cancelTimer = this.#options.timers.after(awaited.waitMs, end);
      const waiter: Waiter = {
        awaited,
        settle: (result) => {
          if (!this.#waiters.delete(waiter)) return;
          giveBack();
          cancelTimer();
          awaited.signal.removeEventListener("abort", end);
          resolve({ kind: result });
        },
      };
      awaited.signal.addEventListener("abort", end, { once: true });
      this.#waiters.add(waiter);
      this.#arm();
    });
  }

  /** Called for each change that this process makes. */
  announce(org: string, id: string): void {
    for (const waiter of this.#waiters) {
      if (waiter.awaited.org === org && waiter.awaited.id === id) waiter.settle("changed");
    }
  }

  /** Ends every wait, also those that begin later. */
  stop(): void {
    this.#stopped = true;
    this.#cancelLook?.();
    for (const waiter of this.#waiters) waiter.settle("stopped");
  }

  #arm(): void {
    this.#cancelLook ??= this.#options.timers.after(LOOK_EVERY_MS, () => void this.#look());
  }

  async #look(): Promise<void> {
    await this.#wakeChanged();
    this.#cancelLook = null;
    if (this.#waiters.size > 0 && !this.#stopped) this.#arm();
  }

  async #wakeChanged(): Promise<void> {
    const names = [...this.#waiters].map(({ awaited: { org, id } }) => ({ org, id }));
    if (names.length === 0) return;
    try {
      const versions = await this.#options.approvals.versions(names);
      this.#isFailing = false;
      for (const { org, id, version } of versions) {
        for (const waiter of this.#waiters) {
          const { awaited } = waiter;
          if (awaited.org === org && awaited.id === id && awaited.version !== version)
            waiter.settle("changed");
        }
      }
    } catch (error) {
      if (!this.#isFailing) this.#options.log.warn(faultFields(error), NOT_READ);
      this.#isFailing = true;
    }
  }
}
