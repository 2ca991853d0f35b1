import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { rememberWay } from "../server/role-keys.ts";

/** A port that forwards to a server, until the test cuts it while the server keeps running. */
export interface CuttableLink {
  /** The server's address, by way of the link. */
  readonly url: string;
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Leads there again, by the same address. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

export async function startCuttableLink(serverUrl: string): Promise<CuttableLink> {
  const target = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", resolve);
    });
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = new URL(serverUrl);
  url.port = String(port);
  rememberWay(url.href, serverUrl);
  return { url: url.href, cut, mend: () => listen(port), close: cut };
}
