import type { Socket } from "node:net";
import { ALLOW_BODY, renderAnswer } from "./answers.ts";
import type { FailClosedFault } from "./fail-closed-fault.ts";
import { startRawGateway, startTcpGateway } from "./faulty-gateway.ts";

/**
 * Pause between two bytes of a slow drip in milliseconds: the whole allow takes seconds, no single
 * wait is long.
 */
const DRIP_INTERVAL_MS = 50;

/** Pause between two interim answers in milliseconds. */
const INTERIM_INTERVAL_MS = 20;

const wanted = "decision_timeout";

/** No whole answer within the deadline. */
export const silences: readonly FailClosedFault[] = [
  { name: "hang in the TLS handshake", wanted, start: () => startTcpGateway("https", () => {}) },
  { name: "hang before the headers", wanted, start: () => startRawGateway(() => {}) },
  {
    name: "hang in the headers",
    wanted,
    start: () =>
      startRawGateway((socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n")),
  },
  {
    name: "hang in the body, after a whole verdict",
    wanted,
    start: () =>
      startRawGateway((socket) => {
        const promised = { "content-length": String(ALLOW_BODY.length + 1) };
        socket.write(renderAnswer({ status: 200, body: ALLOW_BODY, headers: promised }));
      }),
  },
  {
    name: "slow drip past the deadline",
    wanted,
    start: () => startRawGateway((socket) => drip(socket, renderAnswer({ status: 200, body: ALLOW_BODY }))),
  },
  {
    name: "interim answers without end",
    wanted,
    start: () =>
      startRawGateway((socket) =>
        repeat(socket, INTERIM_INTERVAL_MS, () => "HTTP/1.1 103 Early Hints\r\nlink: </>\r\n\r\n"),
      ),
  },
];

function drip(socket: Socket, bytes: Buffer): void {
  let sent = 0;
  repeat(socket, DRIP_INTERVAL_MS, () => {
    sent += 1;
    return bytes.subarray(sent - 1, sent);
  });
}

function repeat(socket: Socket, everyMs: number, next: () => string | Uint8Array): void {
  const timer = setInterval(() => socket.write(next()), everyMs);
  socket.on("close", () => clearInterval(timer));
}
