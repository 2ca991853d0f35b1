import type * as http from "node:http";
import { MAX_VERDICT_BYTES } from "@svc/contract/limits";
import { AnswerReader, type ExchangeListener } from "./answer-reader.ts";
import type { DecisionClientSettings } from "./decision-client-settings.ts";
import { fixedHeaders } from "./fixed-headers.ts";
import type { GatewayExchange, GatewayRequest, SentRequest } from "./gateway-exchange.ts";
import { RequestNames } from "./request-names.ts";

/**
 * Requests to the gateway by a process that makes few and ends: each has a connection of its own. The HTTP
 * client of Node loads in a fraction of the time of one that keeps connections.
 */
export function createSingleExchange(settings: DecisionClientSettings): GatewayExchange {
  const open = new Set<http.ClientRequest>();
  const names = new RequestNames();
  return {
    send: (request, listener) => sendOnce(settings, { request, name: names.next(), listener, open }),
    close: () => {
      for (const request of open) request.destroy(new Error("the client was closed"));
      return Promise.resolve();
    },
  };
}

interface Sending {
  readonly request: GatewayRequest;
  readonly name: string;
  readonly listener: ExchangeListener;
  /** Requests that are not over. */
  readonly open: Set<http.ClientRequest>;
}

function sendOnce(settings: DecisionClientSettings, { request, name, listener, open }: Sending): SentRequest {
  const { maxAnswerBytes = MAX_VERDICT_BYTES, body } = request;
  const reader = new AnswerReader(listener, {
    name,
    maxBytes: maxAnswerBytes,
    readsProblems: settings.explainsRefusals ?? false,
  });
  const fail = (error: Error): void => reader.onResponseError(null, error);
  const sent = startRequest(settings, request, name);
  const controller = { abort: (why: Error) => void sent.destroy(why) };
  open.add(sent);
  reader.onRequestStart(controller);
  sent.on("close", () => open.delete(sent));
  sent.on("error", fail);
  // Nobody asked for it. An answer after it may belong to somebody else.
  sent.on("continue", () => sent.destroy(new Error("the gateway answered 100 Continue")));
  sent.on("upgrade", (_, socket) => {
    socket.destroy();
    fail(new Error("the gateway changed the protocol"));
  });
  sent.on("response", (answer) => {
    answer.on("error", fail);
    answer.on("data", (chunk: Buffer) => reader.onResponseData(controller, chunk));
    answer.on("end", () => {
      if (answer.complete) reader.onResponseEnd();
      else fail(new Error("the answer was cut off"));
    });
    reader.onResponseStart(controller, answer.statusCode ?? 0, valuesOf(answer.headersDistinct));
  });
  sent.end(body ?? undefined);
  return reader;
}

function startRequest(
  { gatewayUrl, ...client }: DecisionClientSettings,
  { method, path, body, idempotencyKey, traceparent }: GatewayRequest,
  name: string,
): http.ClientRequest {
  const headers: http.OutgoingHttpHeaders = { ...fixedHeaders(client), "x-request-id": name };
  if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
  if (traceparent !== undefined) headers["traceparent"] = traceparent;
  if (body !== null) headers["content-length"] = Buffer.byteLength(body);
  const options: http.RequestOptions = {
    method,
    // An address of IPv6 has brackets in a URL.
    hostname: gatewayUrl.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: gatewayUrl.port,
    path: gatewayUrl.pathname.replace(/\/+$/, "") + path,
    headers,
    // A flag of the process must not make the reading of an answer lenient.
    insecureHTTPParser: false,
  };
  // An agent of its own: the one of the process may send requests through a proxy, which could then decide.
  // Not imported: an import reads every export, and some of them load a second HTTP client.
  const isPlain = gatewayUrl.protocol === "http:";
  const { request, Agent } = process.getBuiltinModule(isPlain ? "node:http" : "node:https");
  return request({ ...options, agent: new Agent() });
}

/** A header that comes once as its value. One that is repeated must not look like one that is not. */
function valuesOf(
  headers: NodeJS.Dict<string[]>,
): Readonly<Record<string, string | readonly string[] | undefined>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [name, values?.length === 1 ? values[0] : values]),
  );
}
