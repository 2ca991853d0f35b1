import type { IncomingMessage, ServerResponse } from "node:http";

/** An answer ready to be written. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Writes an answer once. When the body of the request was not read to its end, the connection is closed,
 * because the rest belongs to that body.
 */
export function writeAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const { status, headers, body } = answer;
  const length = { "content-length": String(Buffer.byteLength(body)) };
  const close = request.complete ? {} : { connection: "close" };
  response.writeHead(status, { ...headers, ...length, ...close });
  response.end(request.method === "HEAD" ? undefined : body);
}
