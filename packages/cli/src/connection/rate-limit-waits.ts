import { setTimeout as delay } from "node:timers/promises";

/** Longest wait in milliseconds that a server may ask for at a time. */
const MAX_WAIT_MS = 10_000;

/** Waits of one request, as count: a server that refuses for longer has a limit that is too small for it. */
const MAX_WAITS = 6;

/** Waits as long as a server asks for. It refused the request because of its rate, so it has not begun it. */
export class RateLimitWaits {
  #waits = 0;

  /** The first answer that asks for no wait, or the last one. */
  async sent<Sent extends { readonly response: Response | null }>(send: () => Promise<Sent>): Promise<Sent> {
    for (;;) {
      const sent = await send();
      const waitMs = sent.response === null ? null : waitOf(sent.response);
      if (waitMs === null || this.#waits === MAX_WAITS) return sent;
      this.#waits += 1;
      await sent.response?.body?.cancel();
      await delay(waitMs);
    }
  }
}

/** Null: it asks for none, or for a longer one. */
function waitOf({ status, headers }: Response): number | null {
  const seconds = headers.get("retry-after");
  if (status !== 429 || seconds === null || !/^\d{1,4}$/.test(seconds)) return null;
  const waitMs = Number(seconds) * 1_000;
  return waitMs > MAX_WAIT_MS ? null : waitMs;
}
