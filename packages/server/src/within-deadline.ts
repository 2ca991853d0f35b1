import { valueWithin } from "@svc/process/within";

/** Milliseconds that a control operation waits for the store: an operator must hear within seconds. */
const STORE_ANSWER_LIMIT_MS = 3_000;

/**
 * The same port, whose calls reject when the store does not answer in time. What was asked for may still
 * happen: the caller must say that it does not know.
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

/** What the store answers. @throws when it does not within the limit. */
export async function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  const late = `the store did not answer within ${String(STORE_ANSWER_LIMIT_MS)} ms`;
  return valueWithin(STORE_ANSWER_LIMIT_MS, answer, late);
}
