/** The end of this writer's log, as this process last told somebody, or found it when it opened the log. */
export interface AcknowledgedHead {
  readonly size: number;
  readonly hash: Uint8Array;
}

export interface HeadGuardOptions {
  readonly logId: string;
  /**
   * Whether the log may be longer than acknowledged: by rows of other processes, or of commits whose end
   * nobody learned of. `refused` only where one connection writes everything.
   */
  readonly growth: "allowed" | "refused";
  /** Null: the first head that is acknowledged sets the mark. */
  readonly acknowledged: AcknowledgedHead | null;
}

/** A log whose head is not where it was left: its next rows would take the positions of others. */
export class ForeignHeadError extends Error {}

/**
 * Notices rows that were removed while this process serves. Each append compares the head that it has locked
 * and read anyway; what was removed and added again up to the same length shows in the hash. Rows put on top
 * of removed ones, beyond the acknowledged length, are noticed only where growth is refused.
 */
export class HeadGuard {
  readonly #logId: string;
  readonly #growth: HeadGuardOptions["growth"];
  #acknowledged: AcknowledgedHead | null;

  constructor({ logId, growth, acknowledged }: HeadGuardOptions) {
    this.#logId = logId;
    this.#growth = growth;
    this.#acknowledged = acknowledged;
  }

  get acknowledged(): AcknowledgedHead | null {
    return this.#acknowledged;
  }

  /** @throws ForeignHeadError unless the log goes on from the acknowledged head. */
  require(found: AcknowledgedHead): void {
    requireHead({ logId: this.#logId, growth: this.#growth, acknowledged: this.#acknowledged }, found);
  }

  /** Call after the commit. Commits may be told out of order: only a longer log moves the mark. */
  acknowledge(head: AcknowledgedHead): void {
    if (this.#acknowledged === null || head.size > this.#acknowledged.size) this.#acknowledged = head;
  }
}

/** @throws ForeignHeadError unless what was found goes on from what was acknowledged. */
export function requireHead(
  { logId, growth, acknowledged: held }: HeadGuardOptions,
  found: AcknowledgedHead,
): void {
  if (held === null) return;
  if (found.size === held.size && Buffer.compare(found.hash, held.hash) === 0) return;
  if (found.size > held.size && growth === "allowed") return;
  throw new ForeignHeadError(
    `audit log ${logId}: its head was left at ${describe(held)} and is now at ${describe(found)}; ` +
      "somebody else has written to the database",
  );
}

function describe({ size, hash }: AcknowledgedHead): string {
  return `${String(size)} rows with hash ${Buffer.from(hash).toString("hex")}`;
}
