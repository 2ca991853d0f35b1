/**
 * Bytes that all unfinished bodies of this process hold together: 64 MiB, more than 200 of the largest calls
 * at once, and an eighth of the memory that the chart gives to an adapter.
 */
export const MAX_UNFINISHED_BODY_BYTES = 64 * 1024 * 1024;

/** The bytes of one body that is being received. */
export interface BodyShare {
  /** Adds bytes that arrived. This may refuse an older body, or this one. */
  add(bytes: number): void;
  /** Gives the bytes back. Further calls change nothing. */
  release(): void;
}

interface Held {
  bytes: number;
  readonly refuse: () => void;
}

/**
 * Bounds the bytes of unfinished bodies. Beyond the bound it refuses the bodies that began first: the body of
 * an ordinary call is complete within milliseconds, so what is old under a flood is what does not end.
 */
export class BodyBudget {
  readonly #maxBytes: number;
  /** In the order in which the bodies began. */
  readonly #shares = new Set<Held>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that unfinished bodies hold now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Opens the share of a body. `refuse` is called at most once, after its bytes were given back. */
  open(refuse: () => void): BodyShare {
    const held: Held = { bytes: 0, refuse };
    this.#shares.add(held);
    return {
      add: (bytes) => {
        if (!this.#shares.has(held)) return;
        held.bytes += bytes;
        this.#bytes += bytes;
        this.#refuseOldest();
      },
      release: () => this.#giveBack(held),
    };
  }

  #refuseOldest(): void {
    for (const held of this.#shares) {
      if (this.#bytes <= this.#maxBytes) return;
      if (held.bytes === 0) continue;
      this.#giveBack(held);
      held.refuse();
    }
  }

  #giveBack(held: Held): void {
    if (this.#shares.delete(held)) this.#bytes -= held.bytes;
  }
}

/** The one budget of this process, whichever of its listeners receives a body. */
export const PROCESS_BODIES = new BodyBudget(MAX_UNFINISHED_BODY_BYTES);
