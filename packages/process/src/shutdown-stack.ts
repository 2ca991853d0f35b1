import type { Running } from "./run-until-signal.ts";

/** Running parts in the order in which they need each other: each layer needs those below it. */
export class ShutdownStack {
  readonly #layers: (readonly Running[])[] = [];

  add(...parts: readonly Running[]): void {
    this.#layers.push(parts);
  }

  /**
   * Closes the uppermost layer first, and all parts of a layer at once. A failure does not stop the rest.
   * @throws the first fault.
   */
  async close(): Promise<void> {
    const faults: unknown[] = [];
    for (let layer = this.#layers.pop(); layer !== undefined; layer = this.#layers.pop()) {
      for (const closed of await Promise.allSettled(layer.map((part) => part.close()))) {
        if (closed.status === "rejected") faults.push(closed.reason);
      }
    }
    if (faults.length > 0) throw faults[0];
  }
}
