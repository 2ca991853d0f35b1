import { problem } from "@svc/contract/problem";
import { problemAnswer } from "../answer.ts";
import type { Exchange } from "../exchange.ts";
import { newRequestId } from "../request-id.ts";
import type { LaneExchange } from "./lane-exchange.ts";

/** Answers a request of the lane. An error becomes a 500. */
export async function answerExchange(
  exchange: LaneExchange,
  handle: ((exchange: Exchange) => Promise<void>) | null,
  onError: (error: unknown, requestId: string) => void,
): Promise<void> {
  try {
    await handle?.(exchange);
  } catch (error) {
    const request_id = newRequestId();
    onError(error, request_id);
    exchange.send(
      problemAnswer(problem("internal_error", "the request failed inside the server", { request_id })),
    );
  }
}
