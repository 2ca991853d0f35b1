/** What fetch says of a fault: the message of its innermost cause. */
export function faultReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? faultReason(error.cause) : error.message || error.name;
}
