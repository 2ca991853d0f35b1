/** The end of this writer's log, as this process last acknowledged it, or found it when it opened the log. */
export interface AcknowledgedHead {
  readonly size: number;
  readonly hash: Uint8Array;
}

export interface HeadGuardOptions {
  readonly logId: string;
  /**
   * Whether the log may be longer than acknowledged. `refused` where one connection writes everything.
   * `own`: by commits of this process whose outcome it does not know yet. `allowed`: also by rows of others.
   */
  readonly growth: "allowed" | "own" | "refused";
  /** Null: the first head that is acknowledged sets the mark. */
  readonly acknowledged: AcknowledgedHead | null;
}

/**
 * Most heads that a process remembers of commits whose outcome is unknown, as count: hours of commits that
 * are late each time.
 */
const MAX_EXPECTED = 10_000;

/** The log's head is not where this process left it: the next rows would take the positions of other rows. */
export class ForeignHeadError extends Error {}

/**
 * Notices rows that were removed while this process serves. Each append compares the head, which it has
 * locked and read anyway. The hash shows when rows were replaced up to the same length. Where the log may be
 * longer, the last acknowledged row is compared as well, so rows that replace it are noticed. Rows that were
 * only added are noticed unless growth is allowed.
 */
export class HeadGuard {
  readonly #logId: string;
  readonly #growth: HeadGuardOptions["growth"];
  #acknowledged: AcknowledgedHead | null;
  /** Sizes by the text of a head. */
  readonly #expected = new Map<string, number>();

  constructor({ logId, growth, acknowledged }: HeadGuardOptions) {
    this.#logId = logId;
    this.#growth = growth;
    this.#acknowledged = acknowledged;
  }

  get acknowledged(): AcknowledgedHead | null {
    return this.#acknowledged;
  }

  /**
   * Where the log ends unless somebody else has written: for an append that compares the head in its own
   * statement. Null while this cannot be said, because other connections may be appending.
   */
  get certain(): AcknowledgedHead | null {
    return this.#growth === "allowed" || this.#expected.size > 0 ? null : this.#acknowledged;
  }

  /**
   * @returns the acknowledged head when the log is longer: its last row must then be given to `requireRow`
   * @throws ForeignHeadError unless the log goes on from the acknowledged head.
   */
  require(found: AcknowledgedHead): AcknowledgedHead | null {
    const acknowledged = this.#acknowledged;
    requireHead({ logId: this.#logId, growth: this.#growth, acknowledged }, found);
    if (acknowledged === null || found.size <= acknowledged.size) return null;
    if (this.#growth === "own" && !this.#expected.has(describe(found)))
      throw foreignHead(this.#logId, acknowledged, found);
    return acknowledged.size > 0 ? acknowledged : null;
  }

  /** Call it before each commit that appends: the log may be found there while nothing is known of it. */
  expect(head: AcknowledgedHead): void {
    if (this.#growth !== "own") return;
    this.#expected.set(describe(head), head.size);
    if (this.#expected.size <= MAX_EXPECTED) return;
    const [oldest = ""] = this.#expected.keys();
    this.#expected.delete(oldest);
  }

  /**
   * @param hash that of the last row of the head now; null when the row is missing
   * @throws ForeignHeadError when it is not the row that was acknowledged.
   */
  requireRow({ size, hash }: AcknowledgedHead, found: Uint8Array | null): void {
    if (found !== null && Buffer.compare(found, hash) === 0) return;
    throw new ForeignHeadError(
      `audit log ${this.#logId}: the acknowledged row ${this.#logId}.${String(size - 1)} was replaced or ` +
        "removed; somebody else has written to the database",
    );
  }

  /** Call after the commit. Calls may come out of order: only a longer log moves the mark. */
  acknowledge(head: AcknowledgedHead): void {
    if (this.#acknowledged !== null && head.size <= this.#acknowledged.size) return;
    this.#acknowledged = head;
    for (const [text, size] of this.#expected) if (size <= head.size) this.#expected.delete(text);
  }
}

/** @throws ForeignHeadError unless the found head continues the acknowledged one. */
export function requireHead(
  { logId, growth, acknowledged: held }: HeadGuardOptions,
  found: AcknowledgedHead,
): void {
  if (held === null) return;
  if (found.size === held.size && Buffer.compare(found.hash, held.hash) === 0) return;
  if (found.size > held.size && growth !== "refused") return;
  throw foreignHead(logId, held, found);
}

function foreignHead(logId: string, held: AcknowledgedHead, found: AcknowledgedHead): ForeignHeadError {
  return new ForeignHeadError(
    `audit log ${logId}: its head was left at ${describe(held)} and is now at ${describe(found)}; ` +
      "somebody else has written to the database",
  );
}

function describe({ size, hash }: AcknowledgedHead): string {
  return `${String(size)} rows with hash ${Buffer.from(hash).toString("hex")}`;
}
