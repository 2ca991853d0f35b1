import { type AddressInfo, createServer, type Socket } from "node:net";

/** A backend that follows every offer to change the protocol, and keeps all bytes that it gets. */
export interface SwitchingBackend {
  readonly port: number;
  /** Everything that arrived, over all connections. */
  received(): string;
  forget(): void;
  /** Answers 101 from now on, whether a request offers a change or not. */
  switchUnasked(unasked: boolean): void;
  close(): Promise<void>;
}

const SWITCH = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

export async function startSwitchingBackend(): Promise<SwitchingBackend> {
  const sockets = new Set<Socket>();
  let received = "";
  let unasked = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    let head = "";
    let switched = false;
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (switched) return;
      head += chunk.toString("latin1");
      for (let end = head.indexOf("\r\n\r\n"); end >= 0 && !switched; end = head.indexOf("\r\n\r\n")) {
        switched = unasked || /^(upgrade|http2-settings):/im.test(head.slice(0, end));
        socket.write(switched ? SWITCH : ANSWER);
        head = head.slice(end + 4);
      }
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received,
    forget: () => {
      received = "";
    },
    switchUnasked: (next) => {
      unasked = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
