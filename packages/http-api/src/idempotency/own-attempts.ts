import { randomUUID } from "node:crypto";

/** Most attempts that are remembered as not begun, as count. The store was away for all of them. */
const MAX_NOT_BEGUN = 10_000;

/** What this process knows about its own attempts. It tells a running request from one that was lost. */
export class OwnAttempts {
  /** No other process, and no earlier run of this one, has attempts of this name. */
  readonly #prefix = `${randomUUID()}.`;
  readonly #running = new Set<string>();
  readonly #notBegun = new Set<string>();
  #count = 0;

  start(): string {
    this.#count += 1;
    const attempt = `${this.#prefix}${String(this.#count)}`;
    this.#running.add(attempt);
    return attempt;
  }

  end(attempt: string): void {
    this.#running.delete(attempt);
  }

  /** The store may have given this attempt the key without saying so. Its operation never began. */
  noteNotBegun(attempt: string): void {
    this.#notBegun.add(attempt);
    const [oldest] = this.#notBegun;
    if (this.#notBegun.size > MAX_NOT_BEGUN && oldest !== undefined) this.#notBegun.delete(oldest);
  }

  didNotBegin(attempt: string): boolean {
    return this.#notBegun.has(attempt);
  }

  isRunning(attempt: string): boolean {
    return this.#running.has(attempt);
  }

  isOwn(attempt: string): boolean {
    return attempt.startsWith(this.#prefix);
  }
}
