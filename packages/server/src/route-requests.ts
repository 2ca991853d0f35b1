import type { IncomingMessage, ServerResponse } from "node:http";
import { problem } from "@svc/contract/problem";
import type { Handle } from "@svc/http-edge/edge-server";
import { sendProblem } from "@svc/http-edge/send-json";
import { API_PREFIXES } from "./api.ts";
import type { Authenticate } from "./authentication.ts";
import type { GatewayEndpoints } from "./gateway-endpoints.ts";
import { answerOperational, type OperationalParts, operationalEndpoints } from "./operational-endpoints.ts";

export interface RouteParts extends OperationalParts {
  readonly gatewayEndpoints: GatewayEndpoints;
  readonly api: Handle;
  /** Asked before anything else where no key keeps strangers out; null: every Host may ask. */
  readonly hostCheck: Authenticate | null;
}

/** Sends each request to its room by exact path; what is left goes to the control endpoints. */
export function routeRequests({ gatewayEndpoints, api, hostCheck, ...operational }: RouteParts): Handle {
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
    exact.set(path, (request, response) => {
      const check = hostCheck?.(request);
      if (check?.kind !== "problem") return answerOperational(endpoint, request, response);
      return sendProblem(response, problem(check.code, check.detail));
    });
  }
  return (request: IncomingMessage, response: ServerResponse) =>
    (exact.get(request.url ?? "") ?? api)(request, response);
}
