/** A signed statement about removed rows, as stored. */
export interface StoredRemoval {
  readonly logId: string;
  /** The first of the rows. */
  readonly firstSeq: number;
  readonly org: string;
  readonly note: string;
}
