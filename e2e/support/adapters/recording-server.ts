import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** One request as it arrived. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  /** Names and values in turn, as sent. */
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Answers one request; one that answers nothing hangs it. */
export type Responder = (request: RecordedRequest, response: ServerResponse) => void;

/** An HTTP server on loopback that keeps every request it got. */
export interface RecordingServer {
  readonly port: number;
  /** Requests since the last `forget`, in order of arrival. */
  readonly requests: readonly RecordedRequest[];
  forget(): void;
  /** Changes how requests are answered from now on. */
  respondWith(responder: Responder): void;
  /** Stops listening and ends all connections; `reopen` takes the same port again. */
  close(): Promise<void>;
  reopen(): Promise<void>;
}

/** What a test's backend says when a request reached it. */
export const BACKEND_BODY = "from the backend";

export const answerFromBackend: Responder = (_, response) => {
  response.writeHead(200, { "content-length": BACKEND_BODY.length }).end(BACKEND_BODY);
};

export async function startRecordingServer(initial: Responder): Promise<RecordingServer> {
  const requests: RecordedRequest[] = [];
  const sockets = new Set<Socket>();
  let responder = initial;
  const server = createServer((request, response) => {
    readWhole(request)
      .then((recorded) => {
        requests.push(recorded);
        responder(recorded, response);
      })
      .catch(() => response.destroy());
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    requests,
    forget: () => requests.splice(0),
    respondWith: (next) => {
      responder = next;
    },
    close: () => close(server, sockets),
    reopen: () => listen(server, port),
  };
}

async function readWhole(request: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = "", url = "", rawHeaders, headers } = request;
  return { method, url, rawHeaders, headers, body: Buffer.concat(chunks).toString("utf8") };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
}

function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}
