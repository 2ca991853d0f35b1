import { ALLOW_BODY, renderAnswer } from "./answers.ts";
import type { FailClosedFault } from "./fail-closed-fault.ts";
import { type FaultyGateway, startHttpGateway, startRawGateway } from "./faulty-gateway.ts";

const REDIRECTS = [301, 302, 303, 307, 308];
const CLIENT_ERRORS = [400, 401, 403, 404, 409, 413, 429];
const SERVER_ERRORS = [500, 502, 503, 504];

const wanted = "gateway_refused" as const;

/** Answers outside 2xx, each with the body of an allow. A redirect points at a gateway that would allow. */
export const refusals: readonly FailClosedFault[] = [
  ...REDIRECTS.map((status) => ({
    name: `status ${status} to a gateway that allows`,
    wanted,
    start: () => startRedirecting(status),
  })),
  ...[304, ...CLIENT_ERRORS, ...SERVER_ERRORS].map((status) => ({
    name: `status ${status} with an allow`,
    wanted,
    start: () => startRawGateway((socket) => socket.end(renderAnswer({ status, body: ALLOW_BODY }))),
  })),
];

function startRedirecting(status: number): Promise<FaultyGateway> {
  return startHttpGateway((request, response) => {
    request.resume();
    if (request.url === "/allowing") {
      response.writeHead(200, { "content-type": "application/json" }).end(ALLOW_BODY);
      return;
    }
    const headers = { "content-type": "application/json", location: "/allowing" };
    response.writeHead(status, headers).end(ALLOW_BODY);
  });
}
