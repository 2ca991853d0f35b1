/** Milliseconds that a test waits for a condition. Only a failure takes so long, also on a busy machine. */
export const CONDITION_MS = 20_000;
