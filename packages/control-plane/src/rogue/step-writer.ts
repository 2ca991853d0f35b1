import { faultFields } from "@svc/contract/fault-fields";
import type { Logger } from "@svc/process/logger";
import type { ChangedSeverity, SupervisedSession } from "@svc/store/ports/supervision-store";
import type { Step } from "./next-step.ts";
import type { Watch } from "./watch.ts";

/** A step of one session, from the version of it that was judged. */
export interface Transition {
  readonly session: SupervisedSession;
  readonly step: Step;
}

/** Writes steps in one transaction, each by compare-and-set. Rejects when the store does not answer. */
export type WriteTransitions = (transitions: readonly Transition[]) => Promise<readonly ChangedSeverity[]>;

/**
 * Steps that one transaction writes, as count: 100,000 sessions that fall silent together take 400
 * transactions, and none of them holds the writer for long.
 */
const MAX_AT_ONCE = 250;

export interface StepWriterParts {
  readonly watch: Watch;
  readonly write: WriteTransitions;
  /** Whether this process leads and knows what the store knows. Asked before each transaction. */
  readonly mayAct: () => boolean;
  /** Called for each session whose step was written. */
  readonly onStep: () => void;
  readonly log: Logger;
}

/** Writes the steps that a watch concludes, while the watch goes on reading. */
export class StepWriter {
  readonly #parts: StepWriterParts;
  #atOnce = MAX_AT_ONCE;
  #isFailing = false;
  #working: Promise<void> | null = null;

  constructor(parts: StepWriterParts) {
    this.#parts = parts;
  }

  /** Begins to write what is due, unless that runs already. */
  pump(): void {
    if (this.#working !== null || !this.#parts.watch.hasSteps) return;
    this.#working = this.#work().finally(() => {
      this.#working = null;
    });
  }

  /** Resolves when nothing is being written. */
  async idle(): Promise<void> {
    await this.#working;
  }

  async #work(): Promise<void> {
    const { watch, mayAct, onStep } = this.#parts;
    while (watch.hasSteps && mayAct()) {
      const due = watch.steps(this.#atOnce);
      if (due.length === 0) return;
      const changes = await this.#write(due.map(({ entry, step }) => ({ session: entry.session, step })));
      if (changes === null) {
        this.#backOff(due);
        return;
      }
      for (const [index, { entry }] of due.entries()) {
        const change = changes[index];
        if (change !== undefined) watch.stepped(entry, change.session);
      }
      onStep();
    }
  }

  async #write(transitions: readonly Transition[]): Promise<readonly ChangedSeverity[] | null> {
    const { write, log } = this.#parts;
    try {
      const changes = await write(transitions);
      if (this.#isFailing) log.info({}, "severities are stored again");
      this.#isFailing = false;
      this.#atOnce = Math.min(this.#atOnce * 2, MAX_AT_ONCE);
      return changes;
    } catch (error) {
      if (!this.#isFailing) {
        const fields = { ...faultFields(error), steps: transitions.length };
        log.error(fields, "severities could not be stored; each session keeps the one that it had");
      }
      this.#isFailing = true;
      return null;
    }
  }

  /** One step that the store cannot take must not keep the others from being written. */
  #backOff(due: readonly { readonly entry: Parameters<Watch["postpone"]>[0] }[]): void {
    if (this.#atOnce === 1) for (const { entry } of due) this.#parts.watch.postpone(entry);
    this.#atOnce = Math.max(Math.floor(this.#atOnce / 2), 1);
  }
}
