/** A revision of control state, and what its event says. */
export interface ControlMark {
  readonly revision: number;
  /** Null: the event is not there. */
  readonly digest: string | null;
}

/** Keeps the newest control change that a process knows beyond the end of the process. */
export interface ControlMarkKeeper {
  /** The mark of an earlier run; null when there is none. */
  readonly known: ControlMark | null;
  /**
   * How an operator makes it forget the mark, as the middle of a sentence that says what to do. Null: nothing
   * but the end of the process is needed.
   */
  readonly howToForget: string | null;
  /** Keeps a mark soon. Never throws. */
  keep(mark: ControlMark): void;
}

/** The database lacks control changes that this process has applied, such as kill switches. */
export class LostControlStateError extends Error {}

/**
 * Notices control changes that this process knows and that the database has lost: by a standby that lacked
 * them when it was promoted, or by a backup that was restored. The process then neither reads nor changes
 * control state until it starts anew, so it denies every call. Otherwise a lost kill switch would end in
 * silence, and its revision would be given to another change, which a gateway takes for the one it knows.
 * With a keeper, what an earlier run of the process knew counts as well.
 */
export class ControlHeadGuard {
  readonly #keeper: ControlMarkKeeper | null;
  #mark: ControlMark;
  #fault: LostControlStateError | null = null;

  constructor(keeper: ControlMarkKeeper | null = null) {
    this.#keeper = keeper;
    this.#mark = keeper?.known ?? { revision: 0, digest: null };
  }

  /** The newest change that this process knows. Take it before the query whose result is compared with it. */
  get mark(): ControlMark {
    return this.#mark;
  }

  /** Call it with what was read, or after the commit of what was written. */
  note(mark: ControlMark): void {
    if (mark.revision <= this.#mark.revision) return;
    this.#mark = mark;
    this.#keeper?.keep(mark);
  }

  /**
   * @param known the mark before the query
   * @param found the last revision of the database, and the digest of the event at the known revision
   * @throws LostControlStateError for this and every later query
   */
  require(known: ControlMark, found: ControlMark): void {
    if (this.#fault !== null) throw this.#fault;
    if (known.revision === 0) return;
    if (found.revision >= known.revision && found.digest === known.digest) return;
    const what =
      found.revision < known.revision
        ? `the database ends at revision ${String(found.revision)}`
        : "the database holds another change there";
    const howToForget = this.#keeper?.howToForget ?? null;
    this.#fault = new LostControlStateError(
      `control state was lost: this process knows revision ${String(known.revision)}, and ${what}. ` +
        "Kill switches, policies and keys may be missing, so every call is denied. " +
        `Activate again what is missing, ${howToForget === null ? "" : `${howToForget}, `}` +
        "then restart this process",
    );
    throw this.#fault;
  }
}
