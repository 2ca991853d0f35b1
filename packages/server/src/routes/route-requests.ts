import { gatewayRoutes } from "@svc/api/gateway-routes";
import { fullPaths } from "@svc/api/match-path";
import type { Authenticate } from "@svc/http-api/authentication";
import type { GatewayEndpoints } from "@svc/http-api/gateway-endpoints";
import type { KillSwitchFeedEndpoint } from "@svc/http-api/kill-switch-feed-endpoint";
import { type OperationalParts, operationalPages } from "@svc/http-api/operational-pages";
import { splitTarget } from "@svc/http-api/split-target";
import {
  type Judge,
  judgePages,
  nameRequest,
  servePages,
  serveWeb,
  type WebApp,
  webApp,
} from "@svc/http-api/web-app";
import type { Handle } from "@svc/http-edge/edge-server";
import { callerRequestId } from "@svc/http-edge/request-id";
import type { Logger } from "@svc/process/logger";
import { documentPages } from "@svc/web/document-pages";
import { frontPages } from "@svc/web/front-pages";

/** What a process serves that decides calls. */
export interface GatewayHandles {
  readonly gatewayEndpoints: Pick<GatewayEndpoints, "execute" | "outcome">;
  readonly killSwitchFeed: Pick<KillSwitchFeedEndpoint, "serve">;
}

/** What a process serves that has the control API. */
export interface ControlHandles {
  readonly controlApp: WebApp;
  readonly approvalPages: { readonly app: (judge: Judge) => WebApp };
  /** The way of people to a provider and back. */
  readonly loginPages: WebApp;
  /** Exchanges tokens for keys. */
  readonly tokenApp: (judge: Judge) => WebApp;
}

export interface RouteParts extends OperationalParts, GatewayHandles, ControlHandles {
  /** Runs first when authentication is off; null: every Host is accepted. */
  readonly hostCheck: Authenticate | null;
  readonly log: Pick<Logger, "error">;
}

/** Routes the requests of gateways by exact path. All others go to the web side. */
export function routeRequests(parts: RouteParts): Handle {
  const { gatewayEndpoints, killSwitchFeed } = parts;
  const exact = new Map<string, Handle>();
  const feeds = new Set(fullPaths(gatewayRoutes.followKillSwitches));
  for (const path of fullPaths(gatewayRoutes.executeCall))
    exact.set(path, (request, response) => gatewayEndpoints.execute(request, response));
  for (const path of fullPaths(gatewayRoutes.reportOutcome))
    exact.set(path, (request, response) => gatewayEndpoints.outcome(request, response));
  const serveRest = serveWeb(composeWeb(parts), parts.log);
  return (request, response) => {
    const { url = "" } = request;
    const handle = exact.get(url);
    // These name the request in their answers themselves.
    if (handle !== undefined) return handle(request, response);
    if (!feeds.has(splitTarget(url).path)) return serveRest(request, response);
    const name = callerRequestId(request);
    if (name !== null) response.setHeader("x-request-id", name);
    return killSwitchFeed.serve(request, response);
  };
}

/** What people and operators use. Each part refuses what it does not have; the control API has the rest. */
function composeWeb({
  controlApp,
  approvalPages,
  tokenApp,
  loginPages,
  hostCheck,
  ...operational
}: RouteParts): WebApp {
  const judge = judgePages(hostCheck);
  const pages = { ...operationalPages(operational), ...documentPages(), ...frontPages() };
  return webApp()
    .use(nameRequest)
    .route("/", servePages(judge, pages))
    .route("/", approvalPages.app(judge))
    .route("/", loginPages)
    .route("/", tokenApp(judge))
    .route("/", controlApp);
}
