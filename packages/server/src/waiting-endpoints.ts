import { gatewayRoutes } from "@svc/api/gateway-routes";
import { fullPaths } from "@svc/api/match-path";
import { NOTHING_CHANGED, problem } from "@svc/contract/problem";
import { failClosedDeny } from "@svc/contract/verdict";
import { answerOperational, type Endpoint } from "@svc/http-api/operational-endpoints";
import { splitTarget } from "@svc/http-api/split-target";
import type { Handle } from "@svc/http-edge/edge-server";
import { sendJson, sendProblem } from "@svc/http-edge/send-json";
import { VERSION } from "@svc/process/version";

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

const OPERATIONAL: ReadonlyMap<string, Endpoint> = new Map<string, Endpoint>([
  ["/healthz", (response) => sendJson(response, 200, { status: "ok" })],
  ["/version", (response) => sendJson(response, 200, { name: "svc", version: VERSION })],
  ["/readyz", (response) => sendJson(response, 503, NOT_READY)],
]);

/** What a process answers that started while its database was away. It knows no key, no policy, no switch. */
export const answerWhileWaiting: Handle = async (request, response) => {
  const { path } = splitTarget(request.url ?? "");
  const endpoint = OPERATIONAL.get(path);
  if (endpoint !== undefined) return answerOperational(endpoint, request, response);
  if (request.method === "POST" && EXECUTE.has(path)) return sendJson(response, 200, DENY);
  const refusal = problem("unavailable", `${UNREACHABLE} ${NOTHING_CHANGED}; try again.`);
  sendProblem(response, refusal, { "retry-after": RETRY_AFTER_S, connection: "close" });
};

const EXECUTE: ReadonlySet<string> = new Set(fullPaths(gatewayRoutes.executeCall));
