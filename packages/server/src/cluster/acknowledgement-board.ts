import type { Acknowledgement } from "@svc/store/ports/cluster";

/** What the other processes have said lately. */
export class AcknowledgementBoard {
  readonly #applied = new Map<string, number>();
  /** How many notifications had come when each process was heard last. */
  readonly #heardAt = new Map<string, number>();
  #heard = 0;
  /** Questions of this process that it waits for, and whether there are answers that it has not read. */
  readonly #questions = new Map<string, boolean>();
  #change = Promise.withResolvers<void>();

  /** The last revision that a process has acknowledged; 0 when nothing is known. */
  appliedBy(id: string): number {
    return this.#applied.get(id) ?? 0;
  }

  note({ id, applied }: Acknowledgement): void {
    this.#heard += 1;
    this.#heardAt.set(id, this.#heard);
    this.#applied.set(id, applied);
    this.#wake();
  }

  /** How many notifications have come. Note it before a read whose answer goes to `replace`. */
  get heard(): number {
    return this.#heard;
  }

  /** Keeps what the database held, and what was heard since the read was sent, which is newer. */
  replace(acknowledgements: readonly Acknowledgement[], heardBefore: number): void {
    for (const { id, applied } of acknowledgements)
      if ((this.#heardAt.get(id) ?? 0) <= heardBefore) this.#applied.set(id, applied);
    this.#wake();
  }

  /** Resolves when something is said after this call. */
  nextChange(): Promise<void> {
    return this.#change.promise;
  }

  openQuestion(id: string): void {
    this.#questions.set(id, false);
  }

  closeQuestion(id: string): void {
    this.#questions.delete(id);
  }

  /** Every process hears of every answer. Those to the questions of others are left out. */
  noteAnswer(id: string): void {
    if (!this.#questions.has(id)) return;
    this.#questions.set(id, true);
    this.#wake();
  }

  /** Resolves with true when there are answers to read. The next call waits for further ones. */
  async nextAnswer(id: string): Promise<boolean> {
    if (this.#questions.get(id) !== true) await this.nextChange();
    if (this.#questions.get(id) !== true) return false;
    this.#questions.set(id, false);
    return true;
  }

  #wake(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers<void>();
  }
}
