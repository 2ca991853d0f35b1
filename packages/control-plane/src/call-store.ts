import { faultFields } from "@svc/contract/fault-fields";
import { NOTHING_CHANGED } from "@svc/contract/problem";
import type { Logger } from "@svc/process/logger";
import type { Page, PageRequest } from "@svc/store/ports/page";
import { type Outcome, type Refusal, refuse, refuseCursor } from "./refusal.ts";

/**
 * Calls the store. This is the only place that turns its rejection into the answer `unavailable`.
 * `consequence` says to the caller what the failure means for the request. The cause goes only into the log.
 */
export async function callStore<Value>(
  { log }: { readonly log: Logger },
  consequence: string,
  call: () => Promise<Value>,
): Promise<Outcome<Value>> {
  try {
    return { kind: "ok", value: await call() };
  } catch (error) {
    log.error(faultFields(error), `the store did not answer: ${consequence}`);
    return refuse("unavailable", consequence);
  }
}

/**
 * Asks a thread that works beside this one. Its failure is the answer `compiler_unavailable`.
 * @param fault for the log @param consequence what it means for the request
 */
export async function askThread<Value>(
  { log }: { readonly log: Logger },
  { fault, consequence }: { readonly fault: string; readonly consequence: string },
  ask: () => Promise<Value>,
): Promise<Outcome<Value>> {
  try {
    return { kind: "ok", value: await ask() };
  } catch (error) {
    log.error(faultFields(error), fault);
    return refuse("compiler_unavailable", consequence);
  }
}

/** Reads one record. @param unknown the refusal of a name that nothing has */
export async function readRecord<Value>(
  ports: { readonly log: Logger },
  read: () => Promise<Value | null>,
  unknown: () => Refusal,
): Promise<Outcome<Value>> {
  const found = await callStore(ports, NOT_READ, read);
  if (found.kind === "problem") return found;
  return found.value === null ? unknown() : { kind: "ok", value: found.value };
}

/** Reads one page of a list. Refuses a cursor that comes from another list. */
export async function readPage<Item>(
  ports: { readonly log: Logger },
  { after }: PageRequest,
  read: () => Promise<Page<Item> | "bad_cursor">,
): Promise<Outcome<Page<Item>>> {
  const found = await callStore(ports, NOT_READ, read);
  if (found.kind === "problem") return found;
  return found.value === "bad_cursor" ? refuseCursor(after) : { kind: "ok", value: found.value };
}

/** What a failed read means. */
export const NOT_READ = `The store could not be read. ${NOTHING_CHANGED}; try again.`;
