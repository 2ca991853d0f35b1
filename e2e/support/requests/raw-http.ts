import { connect } from "node:net";

/** Longest wait in milliseconds for the whole answer: Traefik waits 30 s for an adapter. */
const ANSWER_TIMEOUT_MS = 45_000;

export interface RawRequest {
  readonly method: string;
  readonly target: string;
  /** Header lines as they go on the wire: any spelling, any number of repetitions. */
  readonly headers?: readonly string[];
  readonly body?: string;
}

export interface RawResponse {
  readonly status: number;
  /** Values by lower-case name; repeated headers are joined. */
  readonly headers: Headers;
  readonly body: string;
}

/** Sends one request byte for byte, as no client library does, and reads until the peer closes. */
export async function sendRaw(port: number, request: RawRequest): Promise<RawResponse> {
  return sendBytes(port, render(port, request));
}

/** Sends any bytes as one request, and reads until the peer closes. */
export async function sendBytes(port: number, bytes: string | Buffer): Promise<RawResponse> {
  return parse((await exchange(port, bytes)).toString("latin1"));
}

function exchange(port: number, bytes: string | Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy(new Error("no whole answer in time")));
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(Buffer.concat(chunks)));
  });
}

function render(port: number, { method, target, headers = [], body }: RawRequest): string {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [`${method} ${target} HTTP/1.1`, `Host: 127.0.0.1:${port}`, "Connection: close"];
  return `${[...lines, ...length, ...headers].join("\r\n")}\r\n\r\n${body ?? ""}`;
}

/** Interim answers say nothing yet: the first final one counts. */
function parse(text: string): RawResponse {
  if (/^HTTP\/1\.1 1\d\d /.test(text)) return parse(text.slice(text.indexOf("\r\n\r\n") + 4));
  const end = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1]);
  if (end < 0 || !Number.isInteger(status)) throw new Error(`not an HTTP answer: ${JSON.stringify(text)}`);
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return { status, headers, body: text.slice(end + 4) };
}
