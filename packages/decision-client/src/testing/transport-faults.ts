import { createServer as createTlsServer } from "node:tls";
import { ALLOW_BODY, renderAnswer } from "./answers.ts";
import type { FailClosedFault } from "./fail-closed-fault.ts";
import {
  listenOnLoopback,
  portOf,
  startAbsentGateway,
  startRawGateway,
  startTcpGateway,
} from "./faulty-gateway.ts";

/** A label longer than DNS knows: the resolver refuses it without asking anybody. */
const IMPOSSIBLE_HOST = `${"x".repeat(64)}.invalid`;

/** Interim answers sent at once; one alone already breaks the exchange. */
const FLOOD_COUNT = 2_000;

const CHUNKED_JSON = "content-type: application/json\r\ntransfer-encoding: chunked\r\n";

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

const wanted = "gateway_unreachable";

/** Transport errors: no answer could be read to its end. */
export const transportFaults: readonly FailClosedFault[] = [
  { name: "connection refused", wanted, start: startAbsentGateway },
  {
    name: "DNS failure",
    wanted,
    start: async () => ({ url: `http://${IMPOSSIBLE_HOST}:8080`, close: async () => {} }),
  },
  { name: "TLS failure: the handshake is refused", wanted, start: startTlsWithoutCertificate },
  {
    name: "TLS failure: the peer speaks plain HTTP",
    wanted,
    start: () =>
      startTcpGateway("https", (socket) => socket.end(renderAnswer({ status: 200, body: ALLOW_BODY }))),
  },
  {
    name: "closed without an answer",
    wanted,
    start: () => startRawGateway((socket) => socket.destroy()),
  },
  {
    name: "an answer that is not HTTP",
    wanted,
    start: () => startRawGateway((socket) => socket.end(ALLOW_BODY)),
  },
  {
    name: "reset in the headers",
    wanted,
    start: () =>
      startRawGateway((socket) => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-type: appl", () => socket.resetAndDestroy());
      }),
  },
  { name: "reset mid-body, after a whole verdict", wanted, start: startResettingMidBody },
  {
    name: "a chunked body that never says its end",
    wanted,
    start: () =>
      startRawGateway((socket) => {
        const size = ALLOW_BODY.length.toString(16);
        socket.end(`HTTP/1.1 200 OK\r\n${CHUNKED_JSON}\r\n${size}\r\n${ALLOW_BODY}\r\n`);
      }),
  },
  {
    name: "an answer to another request",
    wanted,
    start: () =>
      startRawGateway((socket) => {
        const headers = { "x-request-id": `svc-q-${"0a".repeat(16)}-1` };
        socket.end(renderAnswer({ status: 200, body: ALLOW_BODY, headers }));
      }),
  },
  {
    name: "100-continue flood before an allow",
    wanted,
    start: () =>
      startRawGateway((socket) => {
        socket.write(CONTINUE.repeat(FLOOD_COUNT));
        socket.end(renderAnswer({ status: 200, body: ALLOW_BODY }));
      }),
  },
];

function startResettingMidBody(): ReturnType<FailClosedFault["start"]> {
  return startRawGateway((socket) => {
    const promised = { "content-length": String(ALLOW_BODY.length + 10) };
    const answer = renderAnswer({ status: 200, body: ALLOW_BODY, headers: promised });
    socket.write(answer, () => socket.resetAndDestroy());
  });
}

async function startTlsWithoutCertificate(): ReturnType<FailClosedFault["start"]> {
  const server = createTlsServer({});
  server.on("tlsClientError", () => {});
  const close = await listenOnLoopback(server);
  return { url: `https://127.0.0.1:${portOf(server)}`, close };
}
