import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { COMMON_HEADERS, jsonAnswer } from "@svc/http-edge/answer";
import type { Logger } from "@svc/process/logger";
import type { AnyReply, StreamReply } from "./routes/handler.ts";
import { answerWith, refuseWith, sent, takeOutgoing, type WebContext } from "./web-app.ts";

export interface ReplyParts {
  readonly requestId: string;
  readonly log: Pick<Logger, "info">;
}

/** Renders an answer. Every answer has the request id, and none may be cached. */
export async function renderReply(
  c: WebContext,
  reply: AnyReply,
  { requestId, log }: ReplyParts,
): Promise<Response> {
  const id = { "x-request-id": requestId };
  switch (reply.kind) {
    case "json":
      return answerWith(c, jsonAnswer(reply.status, reply.body, { ...reply.headers, ...id }));
    case "text": {
      const { status, text, mediaType } = reply;
      return answerWith(c, { status, text, headers: { "content-type": mediaType, ...reply.headers, ...id } });
    }
    case "problem": {
      const { problem, text } = reply;
      const headers = { ...reply.headers, ...id };
      if (text === undefined) return refuseWith(c, { ...problem, request_id: requestId }, headers);
      const type = { "content-type": "text/plain; charset=utf-8" };
      return answerWith(c, { status: problem.status, text, headers: { ...type, ...headers } });
    }
    case "empty":
      return c.body(null, reply.status, { ...COMMON_HEADERS, ...id });
    case "stream":
      await sendPieces(takeOutgoing(c), reply, { log, id });
      return sent();
    case "events":
      // Its key is asked about while it runs: `whileAccepted` has put the question in.
      reply.begin(takeOutgoing(c), id, () => null);
      return sent();
  }
}

/** The server does not read ahead of the client, and it stops when the client leaves. */
async function sendPieces(
  response: ServerResponse,
  { status, mediaType, pieces }: StreamReply,
  { log, id }: { readonly log: ReplyParts["log"]; readonly id: Readonly<Record<string, string>> },
): Promise<void> {
  response.writeHead(status, { ...COMMON_HEADERS, "content-type": mediaType, ...id });
  try {
    await pipeline(Readable.from(pieces, { objectMode: true, highWaterMark: 1 }), response);
  } catch (error) {
    // The status is sent, so the answer can only break off. The pipeline has closed the connection.
    log.info({ err: error, request_id: id["x-request-id"] }, "an answer ended before it was whole");
  }
}
