import { valueWithin } from "@svc/process/within";
import type { Store } from "@svc/store/ports/store";

/** Milliseconds that a control operation waits for the store. An operator needs an answer within seconds. */
const STORE_ANSWER_LIMIT_MS = 3_000;

/**
 * The same port, whose calls reject when the store does not answer in time. The operation may still take
 * effect, so the caller must answer that the result is not known.
 */
export function withinDeadline<Port extends object>(port: Port): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...args: unknown[]) => inTime(Reflect.apply(method, target, args) as Promise<unknown>);
    },
  });
}

/** The parts of a store, each within the deadline. */
export function storesWithinDeadline(
  store: Store,
): Omit<Store, "logId" | "cluster" | "check" | "sizeBytes" | "close"> {
  const parts = Object.entries<unknown>({ ...store }).flatMap(([name, part]) =>
    typeof part === "object" && part !== null ? [[name, withinDeadline(part)]] : [],
  );
  return Object.fromEntries(parts) as Store;
}

/** The answer of the store. @throws when it does not come within the limit. */
export async function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  const late = `the store did not answer within ${String(STORE_ANSWER_LIMIT_MS)} ms`;
  return valueWithin(STORE_ANSWER_LIMIT_MS, answer, late);
}
