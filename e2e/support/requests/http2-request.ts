import { connect, type IncomingHttpHeaders } from "node:http2";

/**
 * Longest wait in milliseconds for the whole answer: longer than every clock of the shipped configuration.
 */
const ANSWER_TIMEOUT_MS = 25_000;

/** A request as frames: which there are, and in which order, is the test's to say. */
export interface FramedRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** DATA frames; none: HEADERS do not end the stream unless there are no trailers either. */
  readonly pieces?: readonly (string | Buffer)[];
  readonly trailers?: Readonly<Record<string, string>>;
}

export interface FramedAnswer {
  /** 0 when the stream was reset before an answer. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends one request over an HTTP/2 connection of its own. Never rejects: a reset is an answer, too. */
export function sendHttp2(port: number, request: FramedRequest): Promise<FramedAnswer> {
  const { method = "POST", path, headers = {}, pieces = [], trailers } = request;
  const session = connect(`http://127.0.0.1:${String(port)}`);
  return new Promise((resolve) => {
    let status = 0;
    let answered: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    const done = (): void => {
      session.destroy();
      resolve({ status, headers: answered, body: Buffer.concat(chunks).toString("utf8") });
    };
    session.on("error", done);
    const endStream = pieces.length === 0 && trailers === undefined;
    const stream = session.request(
      { ":method": method, ":path": path, "content-type": "application/json", ...headers },
      { endStream, waitForTrailers: trailers !== undefined },
    );
    stream.setTimeout(ANSWER_TIMEOUT_MS, done);
    stream.on("response", (received) => {
      answered = received;
      status = Number(received[":status"]);
    });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", done);
    stream.on("close", done);
    stream.on("end", done);
    if (trailers !== undefined) stream.on("wantTrailers", () => stream.sendTrailers(trailers));
    if (endStream) return;
    for (const piece of pieces) stream.write(piece);
    stream.end();
  });
}
