import { MAX_VERDICT_BYTES } from "@svc/contract/limits";
import { isJsonObject, type JsonObject } from "@svc/text/json-value";
import { parseStrictJson } from "@svc/text/strict-json";
import type { GatewayAnswer } from "./answer-reader.ts";
import { answerWithin } from "./answer-within.ts";
import type { GatewayExchange, GatewayRequest } from "./gateway-exchange.ts";

/** Milliseconds for one request to the gateway that does not ask for a decision. */
export const DOCUMENT_TIMEOUT_MS = 5_000;

/** What an adapter asks the gateway that is not a decision. */
export interface GatewayDocuments {
  /** The JSON object of the answer. Rejects if no readable 200 comes in time. */
  send(request: GatewayRequest): Promise<JsonObject>;
  /** Closes all connections at once. */
  close(): Promise<void>;
}

/** It closes the exchange when it is closed. */
export function documentsOverExchange(exchange: GatewayExchange): GatewayDocuments {
  return { send: (request) => sendWithin(exchange, request), close: () => exchange.close() };
}

async function sendWithin(exchange: GatewayExchange, request: GatewayRequest): Promise<JsonObject> {
  const answer = await answerWithin(exchange, request, DOCUMENT_TIMEOUT_MS);
  const document = readDocument(answer, request.maxAnswerBytes);
  if (document === null) throw new Error(`status ${String(answer.status)}, or no JSON object`);
  return document;
}

function readDocument(
  { status, body }: GatewayAnswer,
  maxBytes: number = MAX_VERDICT_BYTES,
): JsonObject | null {
  const document = status === 200 && body !== null ? parseStrictJson(body, maxBytes) : null;
  return document?.ok === true && isJsonObject(document.value) ? document.value : null;
}
