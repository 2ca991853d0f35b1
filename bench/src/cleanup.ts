/** What must be undone, last first. */
export class Cleanup {
  readonly #steps: (() => Promise<void>)[] = [];

  defer(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** Undoes everything even when one step fails. @throws AggregateError with every failure. */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, "not everything could be cleaned up");
  }
}
