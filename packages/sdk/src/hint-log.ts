import type { ClientDeny } from "./client-deny.ts";

/** Milliseconds after which the same hint is written again: a gateway that is away denies every call. */
const REPEATED_AFTER_MS = 60_000;

/** Writes hints for the operator to the standard error of the process, or to the log of a worker. */
export class HintLog {
  #last: string | null = null;
  #writtenMs = 0;

  write({ reason, hint }: ClientDeny): void {
    if (hint === undefined) return;
    const nowMs = performance.now();
    if (hint === this.#last && nowMs - this.#writtenMs < REPEATED_AFTER_MS) return;
    this.#last = hint;
    this.#writtenMs = nowMs;
    // oxlint-disable-next-line no-console -- the only log that every runtime has
    console.warn(`svc-client: ${reason} ${hint}`);
  }
}
