import type { LogCheckpoint } from "./checkpoint-line.ts";

/**
 * Hands checkpoints on just before the rows come to them, so that a long list need not be held.
 * The checkpoints of one log must ascend by size; those of several logs may be mixed.
 */
export class CheckpointFeed {
  readonly #source: AsyncIterator<LogCheckpoint>;
  readonly #deliver: (checkpoint: LogCheckpoint) => void;
  /** Size of the last checkpoint that was handed on, by log. */
  readonly #reached = new Map<string, number>();
  #finished = false;

  constructor(source: AsyncIterable<LogCheckpoint>, deliver: (checkpoint: LogCheckpoint) => void) {
    this.#source = source[Symbol.asyncIterator]();
    this.#deliver = deliver;
  }

  /** Whether `advance` has to be called before row `seq` of this log is looked at. */
  isBehind(logId: string, seq: number): boolean {
    return !this.#finished && (this.#reached.get(logId) ?? 0) <= seq;
  }

  /** Hands on until a checkpoint of this log goes beyond row `seq`, or to the end. */
  async advance(logId: string, seq: number): Promise<void> {
    while (this.isBehind(logId, seq)) await this.#next();
  }

  async finish(): Promise<void> {
    while (!this.#finished) await this.#next();
  }

  async #next(): Promise<void> {
    const next = await this.#source.next();
    if (next.done === true) {
      this.#finished = true;
      return;
    }
    this.#reached.set(next.value.logId, next.value.size);
    this.#deliver(next.value);
  }
}
