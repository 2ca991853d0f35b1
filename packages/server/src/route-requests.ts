import type { IncomingMessage, ServerResponse } from "node:http";
import { gatewayRoutes } from "@svc/api/gateway-routes";
import { fullPaths } from "@svc/api/match-path";
import { problem } from "@svc/contract/problem";
import type { Handle } from "@svc/http-edge/edge-server";
import { sendProblem } from "@svc/http-edge/send-json";
import { isApprovalPath, sendApprovalPage } from "./approval-page.ts";
import type { Authenticate } from "./authentication.ts";
import { splitTarget } from "./conventions/split-target.ts";
import { documentEndpoints } from "./document-endpoints.ts";
import type { GatewayEndpoints } from "./gateway-endpoints.ts";
import type { KillSwitchFeedEndpoint } from "./kill-switch-feed-endpoint.ts";
import { answerOperational, type OperationalParts, operationalEndpoints } from "./operational-endpoints.ts";

export interface RouteParts extends OperationalParts {
  readonly gatewayEndpoints: GatewayEndpoints;
  readonly killSwitchFeed: KillSwitchFeedEndpoint;
  readonly api: Handle;
  /** Runs first when authentication is off; null: every Host is accepted. */
  readonly hostCheck: Authenticate | null;
}

/** Routes each request by exact path. All other requests go to the control endpoints. */
export function routeRequests(parts: RouteParts): Handle {
  const { gatewayEndpoints, killSwitchFeed, api, hostCheck, ...operational } = parts;
  const exact = new Map<string, Handle>();
  const feeds = new Set(fullPaths(gatewayRoutes.followKillSwitches));
  for (const path of fullPaths(gatewayRoutes.executeCall))
    exact.set(path, (request, response) => gatewayEndpoints.execute(request, response));
  for (const path of fullPaths(gatewayRoutes.reportOutcome))
    exact.set(path, (request, response) => gatewayEndpoints.outcome(request, response));
  const endpoints = new Map([...operationalEndpoints(operational), ...documentEndpoints()]);
  return (request: IncomingMessage, response: ServerResponse) => {
    const url = request.url ?? "";
    const handle = exact.get(url);
    if (handle !== undefined) return handle(request, response);
    const { path, query } = splitTarget(url);
    if (feeds.has(path)) return killSwitchFeed.serve(request, response);
    const endpoint = isApprovalPath(path) ? sendApprovalPage : endpoints.get(path);
    if (endpoint === undefined) return api(request, response);
    const check = hostCheck?.(request);
    if (check?.kind === "problem") return sendProblem(response, check.problem);
    if (query === null) return answerOperational(endpoint, request, response);
    return sendProblem(response, problem("invalid_request", "expected no query, found a query"));
  };
}
