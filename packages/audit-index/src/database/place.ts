/**
 * The position of a row as one integer, so that it is a row id in SQLite and eight bytes in PostgreSQL: the
 * log's number in the index times 2^40, plus the sequence number.
 */
const SEQ_SPAN = 2 ** 40;

/** Most logs of one database, as count: places stay below 2^53, where integers are exact. */
export const MAX_LOGS = 2 ** 13;

export function placeOf(logNumber: number, seq: number): number {
  if (seq < 0 || seq >= SEQ_SPAN)
    throw new RangeError(`expected a sequence number below 2^40, got ${String(seq)}`);
  return logNumber * SEQ_SPAN + seq;
}

export function positionAt(place: number): { readonly logNumber: number; readonly seq: number } {
  return { logNumber: Math.floor(place / SEQ_SPAN), seq: place % SEQ_SPAN };
}
