/**
 * Fences a writer that lost its log. Each takeover of a log raises the log's epoch, and every append compares
 * epochs inside its transaction. A writer that was paused while another took over can therefore not append.
 */
export function requireEpoch(claim: {
  readonly logId: string;
  readonly held: number;
  readonly found: number;
}): void {
  const { logId, held, found } = claim;
  if (held !== found) {
    throw new Error(
      `audit log ${logId}: another process took it over (epoch ${String(found)}, ours is ${String(held)})`,
    );
  }
}
