import type { IncomingMessage, ServerResponse } from "node:http";
import { gatewayRoutes } from "@svc/api/gateway-routes";
import { fullPaths } from "@svc/api/match-path";
import { problem } from "@svc/contract/problem";
import type { Authenticate } from "@svc/http-api/authentication";
import type { GatewayEndpoints } from "@svc/http-api/gateway-endpoints";
import type { KillSwitchFeedEndpoint } from "@svc/http-api/kill-switch-feed-endpoint";
import {
  answerOperational,
  type OperationalParts,
  operationalEndpoints,
} from "@svc/http-api/operational-endpoints";
import { splitTarget } from "@svc/http-api/split-target";
import { refusedMethod } from "@svc/http-api/unmatched-route";
import type { Handle } from "@svc/http-edge/edge-server";
import { callerRequestId } from "@svc/http-edge/request-id";
import { sendProblem } from "@svc/http-edge/send-json";
import type { ApprovalPages } from "@svc/web/approval-pages";
import { documentEndpoints } from "@svc/web/document-endpoints";
import { frontEndpoints } from "@svc/web/front-page";

/** What a process serves that decides calls. */
export interface GatewayHandles {
  readonly gatewayEndpoints: Pick<GatewayEndpoints, "execute" | "outcome">;
  readonly killSwitchFeed: Pick<KillSwitchFeedEndpoint, "serve">;
}

/** What a process serves that has the control API. */
export interface ControlHandles {
  readonly api: Handle;
  readonly approvalPages: Pick<ApprovalPages, "serve">;
}

export interface RouteParts extends OperationalParts, GatewayHandles, ControlHandles {
  /** Runs first when authentication is off; null: every Host is accepted. */
  readonly hostCheck: Authenticate | null;
}

/** Routes each request by exact path. All other requests go to the control endpoints. */
export function routeRequests(parts: RouteParts): Handle {
  const { gatewayEndpoints, killSwitchFeed, api, approvalPages, hostCheck, ...operational } = parts;
  const exact = new Map<string, Handle>();
  const feeds = new Set(fullPaths(gatewayRoutes.followKillSwitches));
  for (const path of fullPaths(gatewayRoutes.executeCall))
    exact.set(path, (request, response) => gatewayEndpoints.execute(request, response));
  for (const path of fullPaths(gatewayRoutes.reportOutcome))
    exact.set(path, (request, response) => gatewayEndpoints.outcome(request, response));
  const endpoints = new Map([
    ...operationalEndpoints(operational),
    ...documentEndpoints(),
    ...frontEndpoints(),
  ]);
  return (request: IncomingMessage, response: ServerResponse) => {
    const url = request.url ?? "";
    const handle = exact.get(url);
    // These name the request in their answers themselves.
    if (handle !== undefined) return handle(request, response);
    // A client that has had an answer with the name of its request takes none without, on one connection.
    const name = callerRequestId(request);
    if (name !== null) response.setHeader("x-request-id", name);
    const { path, query } = splitTarget(url);
    if (feeds.has(path)) return killSwitchFeed.serve(request, response);
    const approvalId = APPROVAL_PATH.exec(path)?.[1];
    const endpoint = approvalId === undefined ? endpoints.get(path) : undefined;
    if (endpoint === undefined && approvalId === undefined) return api(request, response);
    const check = hostCheck?.(request);
    if (check?.kind === "problem") return sendProblem(response, check.problem);
    if (query !== null) return sendProblem(response, NO_QUERY);
    if (approvalId !== undefined) return serveApproval(approvalPages, { request, response, approvalId });
    if (endpoint !== undefined) return answerOperational(endpoint, request, response);
  };
}

/** One approval below /approvals: any id that the service could have given. */
const APPROVAL_PATH = /^\/approvals\/([A-Za-z0-9_][A-Za-z0-9_-]{0,127})$/;

const NO_QUERY = problem("invalid_request", "expected no query, found a query");

interface ApprovalExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly approvalId: string;
}

async function serveApproval(
  pages: RouteParts["approvalPages"],
  { request, response, approvalId }: ApprovalExchange,
): Promise<void> {
  if (["GET", "HEAD", "POST"].includes(request.method ?? ""))
    return pages.serve(request, response, approvalId);
  const { problem: refusal, headers } = refusedMethod(["GET", "POST"]);
  sendProblem(response, refusal, { ...headers, connection: "close" });
}
