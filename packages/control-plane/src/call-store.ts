import { faultFields } from "@svc/contract/fault-fields";
import type { Logger } from "@svc/process/logger";
import { type Refusal, refuse } from "./refusal.ts";

/**
 * Calls the store; the one place where its rejection becomes an answer, `unavailable`.
 * `consequence` tells the caller what that means for what was asked. The cause goes into the log alone.
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
export const NOT_READ = "The store could not be read. Nothing was changed; try again.";
