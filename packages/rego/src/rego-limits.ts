/** Milliseconds that work on a module may take. */
export interface RegoBudgets {
  /** One evaluation. The deny is given when they have passed, whatever the thread does. */
  readonly evaluateMs: number;
  /** The check, and the preparation: a usual module takes 10, and hundreds on a busy machine. */
  readonly compileMs: number;
  /** An explanation, whose trace makes it slow. */
  readonly explainMs: number;
  /** The wait of an evaluation for a thread, before it is denied. */
  readonly waitMs: number;
}

export const BUDGETS: RegoBudgets = { evaluateMs: 50, compileMs: 5_000, explainMs: 5_000, waitMs: 1_000 };

/** Milliseconds for the start of a thread on a busy machine. */
export const START_LIMIT_MS = 60_000;

/** Most evaluations that wait, as count, and most of one organization: the half. */
export const MAX_WAITING = 512;
export const MAX_WAITING_PER_ORG = MAX_WAITING / 2;

/** Most checks and explanations that wait, as count. */
export const MAX_WAITING_CHECKS = 64;

/**
 * Threads that one module may cost within `SUSPENSION_MS`, by a timeout or a panic of OPA, before it is not
 * run for as long, as count.
 */
export const LOST_THREADS_UNTIL_SUSPENDED = 5;
export const SUSPENSION_MS = 60_000;

/** Threads, as count: at least two, so that one organization never holds all of them. */
export const MIN_THREADS = 2;
export const MAX_THREADS = 4;

/** Most modules that one thread keeps compiled, as count. The one that was used longest ago goes first. */
export const MAX_LOADED_MODULES = 256;

/** Largest module, and its largest data, in characters of text and of JSON. */
export const MAX_MODULE_LENGTH = 64 * 1024;
export const MAX_DATA_LENGTH = 256 * 1024;

/** Most problems of one kind that a check reports, as count: finding the place of each takes time. */
export const MAX_PROBLEMS = 20;

/** Most messages of one rule, as count, and the longest of them in UTF-16 units. */
export const MAX_MESSAGES = 64;
export const MAX_MESSAGE_LENGTH = 1_000;
