import { getRequestListener } from "@hono/node-server";
import { problem } from "@svc/contract/problem";
import type { ControlPlanePorts } from "@svc/control-plane/ports";
import type { Handle } from "@svc/http-edge/edge-server";
import { Hono } from "hono";
import type { Logger } from "pino";
import type { Authenticate } from "./authentication.ts";
import type { ApiEnvironment } from "./http-types.ts";
import { problemAnswer } from "./routes/answers.ts";
import { assignmentRoutes } from "./routes/assignment-routes.ts";
import { type AuditRoutesParts, auditRoutes } from "./routes/audit-routes.ts";
import { killSwitchRoutes } from "./routes/kill-switch-routes.ts";
import { policyRoutes } from "./routes/policy-routes.ts";

/** The two prefixes under which the same routes are served. */
export const API_PREFIXES = ["/v1", "/api/v1"] as const;

export interface ApiParts extends AuditRoutesParts {
  readonly authenticate: Authenticate;
  readonly controlPlane: ControlPlanePorts;
  readonly log: Logger;
}

/** The control endpoints: everything but the path of tool calls and what machines ask of the process. */
export function createApi({ authenticate, controlPlane, log, ...auditParts }: ApiParts): Handle {
  const routes = new Hono<ApiEnvironment>()
    .route("/kill-switch", killSwitchRoutes(controlPlane))
    .route("/policies", policyRoutes(controlPlane))
    .route("/policy-assignments", assignmentRoutes(controlPlane))
    .route("/audit", auditRoutes(auditParts));
  const app = new Hono<ApiEnvironment>();
  app.use(async (context, next) => {
    const authentication = authenticate(context.env.incoming);
    if (authentication.kind === "problem") {
      return problemAnswer(context, problem(authentication.code, authentication.detail));
    }
    context.set("principal", authentication.principal);
    return next();
  });
  for (const prefix of API_PREFIXES) app.route(prefix, routes);
  app.notFound((context) => problemAnswer(context, problem("not_found", "no such route")));
  app.onError((error, context) => {
    log.error({ err: error, url: context.req.path }, "a request failed");
    return problemAnswer(context, problem("internal_error", "the request failed inside the server"));
  });
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return async (request, response) => {
    await listener(request, response);
  };
}
