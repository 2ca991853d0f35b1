import type { IncomingMessage, ServerResponse } from "node:http";
import { fullPaths } from "@svc/api/match-path";
import type { RouteDefinition } from "@svc/api/route";
import { CONTROL_ROUTES } from "@svc/api/route-table";
import { tokenRoutes } from "@svc/api/token-routes";
import { type Problem, problem } from "@svc/contract/problem";
import { splitTarget } from "@svc/http-api/split-target";
import { unknownRoute } from "@svc/http-api/unmatched-route";
import { appPath, type Page, refuseWith, type WebApp, webApp } from "@svc/http-api/web-app";
import { sendProblem } from "@svc/http-edge/send-json";
import { excerpt } from "@svc/text/excerpt";
import { APPROVAL_PATHS } from "@svc/web/approval-pages";
import type { ControlHandles, GatewayHandles } from "./route-requests.ts";

/** Longest part of a path that a refusal repeats, in characters. */
const PATH_LENGTH = 128;

const CLOSE = { connection: "close" } as const;

/** What a process answers in place of what only processes of another role serve. */
export const ABSENT_ROLE_HANDLERS: {
  readonly gateway: GatewayHandles;
  readonly control: () => ControlHandles;
} = {
  gateway: {
    gatewayEndpoints: { execute: toGateway, outcome: toGateway },
    killSwitchFeed: { serve: toGateway },
  },
  control: () => ({
    controlApp: otherControlApp(),
    approvalPages: { app: otherApprovalPages },
    tokenApp: otherTokenApp,
    loginPages: webApp(),
  }),
};

function otherApprovalPages(): WebApp {
  const app = webApp();
  for (const path of APPROVAL_PATHS) app.all(path, toControl);
  return app;
}

function otherTokenApp(): WebApp {
  const app = webApp();
  for (const path of fullPaths(tokenRoutes.exchangeToken)) app.all(path, toControl);
  return app;
}

/** Refuses a route that exists and that another process serves. */
function refusal({ method = "", url = "" }: IncomingMessage, here: string, there: string): Problem {
  const asked = `${method} ${excerpt(splitTarget(url).path, PATH_LENGTH)}`;
  const detail = `This process has the role ${here}. A process of the role ${there} or all serves ${asked}.`;
  return problem("not_found", detail);
}

async function toGateway(request: IncomingMessage, response: ServerResponse): Promise<void> {
  sendProblem(response, refusal(request, "control", "gateway"), CLOSE);
}

const toControl: Page = (c) => refuseWith(c, refusal(c.env.incoming, "gateway", "control"), CLOSE);

function otherControlApp(): WebApp {
  const app = webApp();
  const paths = Object.values<RouteDefinition>(CONTROL_ROUTES).flatMap(fullPaths);
  for (const path of paths) app.all(appPath(path), toControl);
  return app.all("*", (c) => {
    const { method = "", url = "" } = c.env.incoming;
    return refuseWith(c, unknownRoute(method, splitTarget(url).path), CLOSE);
  });
}
