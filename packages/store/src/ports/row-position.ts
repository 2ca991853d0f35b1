/** Where a row stands: `<logId>.<seq>` is its public id. */
export interface RowPosition {
  readonly logId: string;
  readonly seq: number;
}
