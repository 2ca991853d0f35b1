/**
 * Files of end-to-end tests at a time that keep a processor busy: much of their time is waiting, so that two
 * cores carry three. Those with peers wait more. Five of them made the last heartbeat of a test late.
 */
export function busyPlaces(stage: string | undefined): number {
  return stage === "peers" ? 4 : 3;
}

/** Files with a line `// waits:` that run beside these, as count. */
export const WAITING_PLACES = 3;
