import { FAILED, problemAnswer } from "../answer.ts";
import type { Exchange } from "../exchange.ts";
import { newRequestId } from "../request-id.ts";
import type { LaneExchange } from "./lane-exchange.ts";

/** Answers a request; null while nobody can. No promise for one that was answered at once. */
export type HandleExchange = (exchange: Exchange) => void | Promise<void>;

/** Answers a request of the lane. An error becomes a 500. Never throws. */
export function answerExchange(
  exchange: LaneExchange,
  handle: HandleExchange | null,
  onError: (error: unknown, requestId: string) => void,
): void {
  const failed = (error: unknown): void => {
    const request_id = newRequestId();
    onError(error, request_id);
    exchange.send(problemAnswer({ ...FAILED, request_id }));
    exchange.settle();
  };
  try {
    const handled = handle?.(exchange);
    if (handled instanceof Promise) void handled.then(() => exchange.settle(), failed);
    else exchange.settle();
  } catch (error) {
    failed(error);
  }
}
