import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Connections that a client opens and leaves alone. */
export interface Flood {
  readonly sockets: readonly Socket[];
  /** Connections that the server has not closed, as count. */
  readonly open: () => number;
  readonly destroy: () => void;
}

export interface FloodOptions {
  /** One of the addresses of this machine: any of 127.0.0.0/8. */
  readonly from: string;
  readonly count: number;
  /** Sent on each connection; never a whole request. */
  readonly bytes?: string;
}

/** Opens connections one after another. A connection that is closed at once counts as opened. */
export async function flood(port: number, { from, count, bytes = "" }: FloodOptions): Promise<Flood> {
  const sockets: Socket[] = [];
  let closed = 0;
  for (let n = 0; n < count; n += 1) {
    const socket = connect({ port, host: "127.0.0.1", localAddress: from });
    socket.on("error", () => undefined);
    socket.once("close", () => {
      closed += 1;
    });
    await Promise.race([once(socket, "connect"), once(socket, "close")]);
    if (bytes !== "") socket.write(bytes);
    sockets.push(socket.resume());
  }
  return {
    sockets,
    open: () => sockets.length - closed,
    destroy: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
