/**
 * Milliseconds for one call, the thread's start included. The worst document of 256 KiB takes some 1,300 ms
 * of one core, and the budget of a simulation ends before; a thread that is later than this is stuck.
 */
const CALL_LIMIT_MS = 10_000;

/** MiB of heap for the thread. The worst document takes some 100; past it the thread alone ends. */
const MAX_HEAP_MIB = 384;

/**
 * How a thread that works on policies runs. A call that it rejects says nothing about the policy.
 * @param name of the thread, such as `policy-reader`
 */
export function policyThread(name: "policy-reader" | "policy-simulator" | "policy-replayer") {
  return {
    name: `svc-${name}`,
    label: `the ${name.replace("-", " ")}'s thread`,
    maxHeapMib: MAX_HEAP_MIB,
    stallLimitMs: CALL_LIMIT_MS,
    closing: "the process is closing",
  };
}
