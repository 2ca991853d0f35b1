import { gatewayRoutes } from "@svc/api/gateway-routes";
import { fullPaths } from "@svc/api/match-path";
import { NOTHING_CHANGED, problem } from "@svc/contract/problem";
import { failClosedDeny } from "@svc/contract/verdict";
import { alivePages } from "@svc/http-api/operational-pages";
import { answerWith, refuseWith, servePages, type WebApp } from "@svc/http-api/web-app";
import { jsonAnswer } from "@svc/http-edge/answer";
import { OPA_VERSION } from "@svc/rego/rego-runtime";

/** Seconds after which a refused client may try again. */
const RETRY_AFTER_S = "1";

const UNREACHABLE = "This process has not reached its database since it started.";

const DENY = failClosedDeny(
  "control_state_unverified",
  `${UNREACHABLE} Until it does, every call is denied.`,
);

const NOT_READY = {
  status: "not_ready",
  control_state: "unverified",
  policies: "loading",
  store: "unavailable",
} as const;

const REFUSAL = problem("unavailable", `${UNREACHABLE} ${NOTHING_CHANGED}; try again.`);

const REFUSAL_HEADERS = { "retry-after": RETRY_AFTER_S, connection: "close" } as const;

/** What a process answers that started while its database was away. It knows no key, no policy, no switch. */
export function waitingApp(): WebApp {
  const app = servePages((_c, next) => next(), {
    ...alivePages(OPA_VERSION),
    "/readyz": (c) => answerWith(c, jsonAnswer(503, NOT_READY)),
  });
  app.on("POST", [...fullPaths(gatewayRoutes.executeCall)], (c) => answerWith(c, jsonAnswer(200, DENY)));
  return app.all("*", (c) => refuseWith(c, REFUSAL, REFUSAL_HEADERS));
}
