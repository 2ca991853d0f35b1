import { type Problem, problem } from "@svc/contract/problem";
import { MAX_READERS, MAX_READERS_PER_KEY } from "./limits.ts";

/** Seconds after which a refused reader may try again. */
export const RETRY_AFTER_S = "5";

/** Counts the open streams of the process and of each API key. */
export class ReaderSlots {
  readonly #ofKey = new Map<string, number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Why one more stream is too many; null when it is not. */
  refusal(key: string): Problem | null {
    if (this.#count >= MAX_READERS) {
      return problem("overloaded", `${String(MAX_READERS)} event streams are already open on this server`);
    }
    if ((this.#ofKey.get(key) ?? 0) < MAX_READERS_PER_KEY) return null;
    const most = String(MAX_READERS_PER_KEY);
    return problem(
      "too_many_requests",
      `${most} event streams with this key are already open; end one first`,
    );
  }

  /** @returns what gives the slot back; a second call does nothing */
  take(key: string): () => void {
    this.#add(key, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(key, -1);
      isTaken = false;
    };
  }

  #add(key: string, change: 1 | -1): void {
    this.#count += change;
    const count = (this.#ofKey.get(key) ?? 0) + change;
    if (count === 0) this.#ofKey.delete(key);
    else this.#ofKey.set(key, count);
  }
}
