/**
 * Fences a writer that lost its log. Each takeover of a log raises its epoch; every append compares, inside
 * its transaction, so that a writer which was paused while another took over cannot append behind that one's
 * back.
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
