import { getRequestListener } from "@hono/node-server";
import { problem } from "@svc/contract/problem";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import type { Handle } from "@svc/http-edge/edge-server";
import { newRequestId } from "@svc/http-edge/request-id";
import { Hono } from "hono";
import type { Logger } from "pino";
import type { ApiContext, ApiEnvironment } from "./api-context.ts";
import type { Authenticate } from "./authentication.ts";
import type { NoteRefusal } from "./refusal-log.ts";
import { problemAnswer } from "./routes/answers.ts";
import { assignmentRoutes } from "./routes/assignment-routes.ts";
import { type AuditRoutesParts, auditRoutes } from "./routes/audit-routes.ts";
import { killSwitchRoutes } from "./routes/kill-switch-routes.ts";
import { policyRoutes } from "./routes/policy-routes.ts";
import { takes } from "./routes/read-page.ts";
import { unmatchedRoute } from "./unmatched-route.ts";

/** The two prefixes under which the same routes are served. */
export const API_PREFIXES = ["/v1", "/api/v1"] as const;

export interface ApiParts extends AuditRoutesParts {
  readonly authenticate: Authenticate;
  readonly controlPlane: ControlPlanePorts;
  readonly log: Logger;
  readonly noteRefusal: NoteRefusal;
}

/** The control endpoints: all routes except those of tool calls and the operational ones. */
export function createApi(parts: ApiParts): Handle {
  const app = createApp(parts);
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return async (request, response) => {
    await listener(request, response);
  };
}

/** The routes, after request id and credentials, with the answers to requests that match no route. */
export function createApp({
  authenticate,
  controlPlane,
  log,
  noteRefusal,
  ...auditParts
}: ApiParts): Hono<ApiEnvironment> {
  const app = new Hono<ApiEnvironment>();
  app.use(async (context, next) => {
    const requestId = newRequestId();
    const { incoming: request } = context.env;
    context.set("requestId", requestId);
    const authentication = authenticate(request);
    if (authentication.kind === "problem") {
      noteRefusal({ code: authentication.problem.code, requestId, request });
      return problemAnswer(context, authentication.problem);
    }
    context.set("principal", authentication.principal);
    context.set("ports", { ...controlPlane, log: log.child({ request_id: requestId }) });
    return next();
  });
  const routes = new Hono<ApiEnvironment>()
    .route("/kill-switch", killSwitchRoutes())
    .route("/policies", policyRoutes())
    .route("/policy-assignments", assignmentRoutes())
    .route("/audit", auditRoutes(auditParts));
  for (const prefix of API_PREFIXES) app.route(prefix, routes);
  for (const prefix of API_PREFIXES) {
    // Other code serves these by exact path. Only a request with a query arrives here.
    for (const name of ["execute", "outcome"]) app.post(`${prefix}/gateway/${name}`, takes(), refuseQuery);
  }
  const unmatched = unmatchedRoute(app.routes);
  app.notFound((context) => {
    const { incoming: request } = context.env;
    const { problem: refusal, headers } = unmatched(context.req.method, context.req.path);
    noteRefusal({ code: refusal.code, requestId: context.var.requestId, request });
    return problemAnswer(context, refusal, headers);
  });
  app.onError((error, context) => {
    const { requestId } = context.var;
    log.error({ err: error, path: context.req.path, request_id: requestId }, "a request failed");
    return problemAnswer(context, problem("internal_error", "the request failed inside the server"));
  });
  return app;
}

function refuseQuery(context: ApiContext): Response {
  return problemAnswer(context, problem("invalid_request", "expected no query, found a query"));
}
