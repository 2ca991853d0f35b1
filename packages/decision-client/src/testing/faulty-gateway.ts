import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";

/** Something that listens where a gateway should be. */
export interface FaultyGateway {
  /** Base address for SVC_GATEWAY_URL. */
  readonly url: string;
  /** Ends the listener and every connection to it. */
  close(): Promise<void>;
}

/** Starts a gateway that reads one whole request and then hands the bare socket to the script. */
export async function startRawGateway(script: (socket: Socket) => void): Promise<FaultyGateway> {
  return startHttpGateway((request, response) => {
    const socket = response.socket;
    request.resume();
    request.on("end", () => {
      if (socket !== null) script(socket);
    });
  });
}

/** Starts a gateway that answers through node:http. */
export async function startHttpGateway(listener: RequestListener): Promise<FaultyGateway> {
  const server = createServer(listener);
  const close = await listenOnLoopback(server);
  return { url: `http://127.0.0.1:${portOf(server)}`, close };
}

/** Starts a listener that speaks no HTTP by itself. */
export async function startTcpGateway(
  scheme: "http" | "https",
  script: (socket: Socket) => void,
): Promise<FaultyGateway> {
  const server = createTcpServer(script);
  const close = await listenOnLoopback(server);
  return { url: `${scheme}://127.0.0.1:${portOf(server)}`, close };
}

/** An address on which nothing listens any more. */
export async function startAbsentGateway(): Promise<FaultyGateway> {
  const gateway = await startTcpGateway("http", () => {});
  await gateway.close();
  return { url: gateway.url, close: async () => {} };
}

/** Listens on a free loopback port and answers how to end the server together with its connections. */
export async function listenOnLoopback(server: Server): Promise<() => Promise<void>> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
