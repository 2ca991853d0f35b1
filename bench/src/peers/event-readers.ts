import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Keeps event streams open and reads what they send until it is ended: `<url of the server> <streams>`. */
const [url = "", count = ""] = process.argv.slice(2);

/** Streams that are opened at the same time, as count. */
const AT_ONCE = 50;

const { hostname, port, host } = new URL(url);
const REQUEST = `GET /api/v1/events/stream HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\n\r\n`;

const sockets: Socket[] = [];
while (sockets.length < Number(count)) {
  sockets.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => openStream()))));
}
process.stdout.write(`listening ${url}\n`);

/** @throws unless the server begins a stream. */
async function openStream(): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  socket.write(REQUEST);
  const [head] = (await once(socket, "data")) as [Buffer];
  if (!head.toString("latin1").startsWith("HTTP/1.1 200 ")) throw new Error(head.toString("latin1"));
  socket.on("data", () => undefined);
  socket.on("close", () => {
    throw new Error("the server ended a stream");
  });
  return socket;
}
