import type { IncomingMessage, ServerResponse } from "node:http";
import type { Handle } from "@svc/http-edge/edge-server";
import { API_PREFIXES } from "./api.ts";
import type { GatewayEndpoints } from "./gateway-endpoints.ts";
import { answerOperational, type OperationalParts, operationalEndpoints } from "./operational-endpoints.ts";

export interface RouteParts extends OperationalParts {
  readonly gatewayEndpoints: GatewayEndpoints;
  readonly api: Handle;
}

/** Sends each request to its room by exact path; what is left goes to the control endpoints. */
export function routeRequests({ gatewayEndpoints, api, ...operational }: RouteParts): Handle {
  const exact = new Map<string, Handle>();
  for (const prefix of API_PREFIXES) {
    exact.set(`${prefix}/gateway/execute`, (request, response) =>
      gatewayEndpoints.execute(request, response),
    );
    exact.set(`${prefix}/gateway/outcome`, (request, response) =>
      gatewayEndpoints.outcome(request, response),
    );
  }
  for (const [path, endpoint] of operationalEndpoints(operational)) {
    exact.set(path, (request, response) => answerOperational(endpoint, request, response));
  }
  return (request: IncomingMessage, response: ServerResponse) =>
    (exact.get(request.url ?? "") ?? api)(request, response);
}
