import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { COMMON_HEADERS } from "@svc/http-edge/answer";
import { sendJson, sendProblem, sendText } from "@svc/http-edge/send-json";
import type { Logger } from "@svc/process/logger";
import type { AnyReply, StreamReply } from "./routes/handler.ts";

export interface ReplyExchange {
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly reply: AnyReply;
  readonly log: Pick<Logger, "info">;
}

/** Writes an answer. Every answer has the request id, and none may be cached. */
export async function sendReply({ response, requestId, reply, log }: ReplyExchange): Promise<void> {
  const id = { "x-request-id": requestId };
  switch (reply.kind) {
    case "json":
      return sendJson(response, reply.status, reply.body, { ...reply.headers, ...id });
    case "text":
      return sendText(response, reply.status, reply.text, {
        "content-type": reply.mediaType,
        ...reply.headers,
        ...id,
      });
    case "problem": {
      const { problem, text } = reply;
      const headers = { ...reply.headers, ...id };
      if (text === undefined) return sendProblem(response, { ...problem, request_id: requestId }, headers);
      const type = { "content-type": "text/plain; charset=utf-8" };
      return sendText(response, problem.status, text, { ...type, ...headers });
    }
    case "empty":
      response.writeHead(reply.status, { ...COMMON_HEADERS, ...id });
      response.end();
      return;
    case "stream":
      return sendPieces(response, reply, { log, id });
    case "events":
      // Its key is asked about while it runs: `whileAccepted` has put the question in.
      return reply.begin(response, id, () => null);
  }
}

/** The server does not read ahead of the client, and it stops when the client leaves. */
async function sendPieces(
  response: ServerResponse,
  { status, mediaType, pieces }: StreamReply,
  { log, id }: { readonly log: ReplyExchange["log"]; readonly id: Readonly<Record<string, string>> },
): Promise<void> {
  response.writeHead(status, { ...COMMON_HEADERS, "content-type": mediaType, ...id });
  try {
    await pipeline(Readable.from(pieces, { objectMode: true, highWaterMark: 1 }), response);
  } catch (error) {
    // The status is sent, so the answer can only break off. The pipeline has closed the connection.
    log.info({ err: error, request_id: id["x-request-id"] }, "an answer ended before it was whole");
  }
}
