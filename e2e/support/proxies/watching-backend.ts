import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout } from "node:timers/promises";

/** One request of which the backend saw at least the headers. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Null while it is not whole. */
  readonly body: string | null;
}

export interface BackendAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A list is sent piece by piece, without a length. */
  readonly body: string | readonly string[];
  /** Milliseconds before each piece, or before an answer that has none. */
  readonly pauseMs?: number;
}

/** A backend that notices a request as soon as its headers are there, whole or not. */
export interface WatchingBackend {
  readonly port: number;
  readonly seen: readonly SeenRequest[];
  forget(): void;
  answerWith(answer: BackendAnswer): void;
  close(): Promise<void>;
}

async function sendAnswer(response: ServerResponse, answer: BackendAnswer): Promise<void> {
  const { status, headers, body, pauseMs = 0 } = answer;
  if (typeof body === "string") {
    if (pauseMs > 0) await setTimeout(pauseMs);
    response.writeHead(status, { "content-length": Buffer.byteLength(body), ...headers }).end(body);
    return;
  }
  response.writeHead(status, headers).flushHeaders();
  for (const piece of body) {
    await setTimeout(pauseMs);
    response.write(piece);
  }
  response.end();
}

const DEFAULT_ANSWER: BackendAnswer = { status: 200, body: "from the backend" };

export async function startWatchingBackend(): Promise<WatchingBackend> {
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let answer = DEFAULT_ANSWER;
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    const index = seen.push({ method, url, headers, body: null }) - 1;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => response.destroy());
    request.on("end", () => {
      seen[index] = { method, url, headers, body: Buffer.concat(chunks).toString("utf8") };
      sendAnswer(response, answer).catch(() => response.destroy());
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    forget: () => {
      seen.length = 0;
      answer = DEFAULT_ANSWER;
    },
    answerWith: (next) => {
      answer = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
