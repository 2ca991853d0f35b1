import type { ServerResponse } from "node:http";

/** Aborts when the answer is over: it has been sent, or its client has left. */
export function overOf(response: Pick<ServerResponse, "closed" | "once">): AbortSignal {
  const over = new AbortController();
  if (response.closed) over.abort();
  else response.once("close", () => over.abort());
  return over.signal;
}

/** Calls `then` once when the answer is over; at once when it is. */
export function whenOver(over: AbortSignal, then: () => void): void {
  if (over.aborted) then();
  else over.addEventListener("abort", then, { once: true });
}
