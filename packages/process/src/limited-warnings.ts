import type { Logger } from "./logger.ts";

/**
 * Milliseconds between two lines about one kind of event. An operator sees each kind at once, and a flood of
 * events does not fill the disk.
 */
const INTERVAL_MS = 10_000;

/** Writes a warning, or counts it. The number of kinds must be bounded: no kind comes from a request. */
export type Warn = (kind: string, fields: object, message: string) => void;

interface Pending {
  count: number;
  fields: object;
  message: string;
}

/**
 * Limits warnings that callers can cause at will. The first of each kind is written at once. Those of the
 * next ten seconds are counted. Then the newest is written, with their number as `count`.
 */
export function createLimitedWarnings(log: Pick<Logger, "warn">, intervalMs = INTERVAL_MS): Warn {
  const held = new Map<string, Pending>();
  const start = (kind: string): void => {
    held.set(kind, { count: 0, fields: {}, message: "" });
    setTimeout(() => flush(kind), intervalMs).unref();
  };
  const flush = (kind: string): void => {
    const pending = held.get(kind);
    held.delete(kind);
    if (pending === undefined || pending.count === 0) return;
    log.warn({ ...pending.fields, count: pending.count }, pending.message);
    start(kind);
  };
  return (kind, fields, message) => {
    const pending = held.get(kind);
    if (pending !== undefined) {
      Object.assign(pending, { count: pending.count + 1, fields, message });
      return;
    }
    log.warn(fields, message);
    start(kind);
  };
}
