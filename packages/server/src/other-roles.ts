import type { IncomingMessage, ServerResponse } from "node:http";
import { CONTROL_ROUTES, matchRoute } from "@svc/api/route-table";
import { excerpt } from "@svc/contract/excerpt";
import { problem } from "@svc/contract/problem";
import { splitTarget } from "@svc/http-api/split-target";
import { unknownRoute } from "@svc/http-api/unmatched-route";
import type { Handle } from "@svc/http-edge/edge-server";
import { sendProblem } from "@svc/http-edge/send-json";
import type { ControlHandles, GatewayHandles } from "./route-requests.ts";

/** Longest part of a path that a refusal repeats, in characters. */
const PATH_LENGTH = 128;

/** Refuses a route that exists and that another process serves. */
function refuse(request: IncomingMessage, response: ServerResponse, roles: readonly [string, string]): void {
  const { path } = splitTarget(request.url ?? "");
  const [here, there] = roles;
  const asked = `${request.method ?? ""} ${excerpt(path, PATH_LENGTH)}`;
  const detail = `This process has the role ${here}. A process of the role ${there} or all serves ${asked}.`;
  sendProblem(response, problem("not_found", detail), { connection: "close" });
}

const toControl: Handle = (request, response) => {
  const { path } = splitTarget(request.url ?? "");
  const match = matchRoute(request.method ?? "", path);
  const isKnown = match.kind === "matched" ? match.id in CONTROL_ROUTES : match.kind !== "none";
  if (isKnown) return refuse(request, response, ["gateway", "control"]);
  sendProblem(response, unknownRoute(request.method ?? "", path), { connection: "close" });
};

/** What a process answers in place of what only processes of another role serve. */
export const OTHER_ROLES: { readonly gateway: GatewayHandles; readonly control: ControlHandles } = {
  gateway: {
    gatewayEndpoints: { execute: toGateway, outcome: toGateway },
    killSwitchFeed: { serve: toGateway },
  },
  control: {
    api: toControl,
    approvalPages: {
      serve: async (request, response) => refuse(request, response, ["gateway", "control"]),
    },
  },
};

async function toGateway(request: IncomingMessage, response: ServerResponse): Promise<void> {
  return refuse(request, response, ["control", "gateway"]);
}
