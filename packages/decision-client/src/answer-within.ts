import type { GatewayAnswer } from "./answer-reader.ts";
import type { GatewayExchange, GatewayRequest } from "./gateway-exchange.ts";

/** No answer came in time. */
export class AnswerLate extends Error {
  override readonly name = "AnswerLate";
}

/** Sends one request. Rejects with AnswerLate, or with the fault of the exchange. */
export function answerWithin(
  exchange: GatewayExchange,
  request: GatewayRequest,
  timeoutMs: number,
): Promise<GatewayAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<GatewayAnswer>();
  const timer = setTimeout(() => {
    sent.giveUp();
    reject(new AnswerLate(`no answer within ${String(timeoutMs)} ms`));
  }, timeoutMs);
  const sent = exchange.send(request, {
    onAnswer: (answer) => {
      clearTimeout(timer);
      resolve(answer);
    },
    onError: (error) => {
      clearTimeout(timer);
      reject(error);
    },
  });
  return promise;
}
