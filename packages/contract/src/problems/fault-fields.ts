/** What a log line says of a failure. */
export type FaultFields = { readonly err: unknown } | { readonly cause: string };

/** Errors that only a mistake in a program raises. */
const DEFECTS = [TypeError, ReferenceError, RangeError, SyntaxError];

/**
 * The fields of a log line about a failure. A stack trace stands only in the line of a defect: the place in
 * our code says nothing about a database that is gone.
 */
export function faultFields(error: unknown): FaultFields {
  if (!(error instanceof Error)) return { cause: String(error) };
  return DEFECTS.some((defect) => error instanceof defect) ? { err: error } : { cause: messageOf(error) };
}

/** Connection errors may have an empty message and their reasons in a list. */
function messageOf(error: Error): string {
  if (error.message !== "") return error.message;
  if (error instanceof AggregateError) return error.errors.map(String).join("; ");
  return error.name;
}
