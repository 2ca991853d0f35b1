import { isLoopback } from "./is-loopback.ts";
import type { Logger } from "./logger.ts";

/** A listener that lets in every client that reaches it, or carries what it must not in plain text. */
export interface OpenListener {
  /** The variable that sets its address. */
  readonly variable: string;
  readonly host: string;
  /** What follows from it, as a sentence without its end. */
  readonly risk: string;
  /** What to do about it, as an imperative without its end. */
  readonly fix: string;
}

/** Warns at a start when other machines reach the listener. One on loopback causes no warning. */
export function warnOfOpenListener(
  { variable, host, risk, fix }: OpenListener,
  log: Pick<Logger, "warn">,
): void {
  if (isLoopback(host)) return;
  log.warn({ variable, host }, `other machines reach this listener: ${risk}. ${fix}, or listen on 127.0.0.1`);
}
