import { faultFields } from "@svc/contract/fault-fields";
import { NOTHING_CHANGED } from "@svc/contract/problem";
import type { Logger } from "@svc/process/logger";
import { type Refusal, refuse } from "./refusal.ts";

/**
 * Calls the store. This is the only place that turns its rejection into the answer `unavailable`.
 * `consequence` says to the caller what the failure means for the request. The cause goes only into the log.
 */
export async function callStore<Value>(
  { log }: { readonly log: Logger },
  consequence: string,
  call: () => Promise<Value>,
): Promise<{ readonly kind: "ok"; readonly value: Value } | Refusal> {
  try {
    return { kind: "ok", value: await call() };
  } catch (error) {
    log.error(faultFields(error), `the store did not answer: ${consequence}`);
    return refuse("unavailable", consequence);
  }
}

/** What a failed read means. */
export const NOT_READ = `The store could not be read. ${NOTHING_CHANGED}; try again.`;
