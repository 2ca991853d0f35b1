import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** What came back on one connection until the server ended it. */
export interface RawAnswer {
  /** Status of every answer, in order. */
  readonly statuses: readonly number[];
  readonly text: string;
}

/** Longest wait for the server to end a connection, in milliseconds. Only a failing test reaches it. */
const DEADLINE_MS = 8_000;

/** Sends bytes as they are and reads until the server ends the connection. Rejects when it does not. */
export async function rawExchange(port: number, bytes: string | Buffer): Promise<RawAnswer> {
  const socket = connect(port, "127.0.0.1");
  socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  return readToEnd(socket);
}

/** Reads what comes on a connection until the server ends it; a reset is an end. */
export async function readToEnd(socket: Socket): Promise<RawAnswer> {
  let text = "";
  socket.setEncoding("latin1");
  socket.on("data", (piece: string) => {
    text += piece;
  });
  socket.on("error", () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(new Error("deadline")), DEADLINE_MS);
  await once(socket, "close").catch(() => undefined);
  clearTimeout(timer);
  if (socket.errored?.message === "deadline")
    throw new Error(`the server kept the connection, after: ${text}`);
  // An answer begins directly after the body of the one before, not at the start of a line.
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => Number(status));
  return { statuses, text };
}
