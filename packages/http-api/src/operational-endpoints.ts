import type { IncomingMessage, ServerResponse } from "node:http";
import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import type { FollowedState } from "@svc/control-feed/control-follower";
import type { Gateway } from "@svc/gateway/gateway";
import { COMMON_HEADERS } from "@svc/http-edge/answer";
import { sendJson, sendProblem } from "@svc/http-edge/send-json";
import { VERSION } from "@svc/process/version";
import { within } from "@svc/process/within";
import type { Store } from "@svc/store/ports/store";
import type { Registry } from "prom-client";
import { refusedMethod } from "./unmatched-route.ts";

export interface OperationalParts {
  /** Null: this process decides no calls, and loads no policies. */
  readonly gateway: Pick<Gateway, "policiesLoaded"> | null;
  /** Every part of this process that has to be current. */
  readonly followed: readonly Pick<FollowedState, "ageMs">[];
  readonly store: Pick<Store, "check">;
  readonly registry: Registry;
  /** Whether the process ends, and should get no further requests. */
  readonly isEnding: () => boolean;
}

/** Milliseconds that the health check of the store may take. */
const STORE_CHECK_LIMIT_MS = 1_000;

export type Endpoint = (response: ServerResponse) => void | Promise<void>;

/**
 * The endpoints for orchestrators and monitoring. They need no credentials and show no secrets.
 * Paths are exact.
 */
export function operationalEndpoints({
  gateway,
  followed,
  store,
  registry,
  isEnding,
}: OperationalParts): ReadonlyMap<string, Endpoint> {
  return new Map<string, Endpoint>([
    ["/healthz", (response) => sendJson(response, 200, { status: "ok" })],
    ["/version", (response) => sendJson(response, 200, { name: "svc", version: VERSION })],
    [
      "/readyz",
      async (response) => {
        const isVerified = followed.every(({ ageMs }) => ageMs <= CONTROL_LEASE_MS);
        const controlState = isVerified ? "ok" : "unverified";
        const storeState = await stateOfStore(store);
        const policies = gateway?.policiesLoaded() !== false ? "ok" : "loading";
        const isHealthy = controlState === "ok" && policies === "ok" && storeState === "ok";
        const ready = isHealthy && !isEnding();
        sendJson(response, ready ? 200 : 503, {
          status: ready ? "ready" : "not_ready",
          control_state: controlState,
          policies,
          store: storeState,
        });
      },
    ],
    [
      "/metrics",
      async (response) => {
        const text = await registry.metrics();
        response.writeHead(200, { ...COMMON_HEADERS, "content-type": registry.contentType });
        response.end(text);
      },
    ],
  ]);
}

/** A store that does not answer in time counts as unavailable. */
async function stateOfStore(store: OperationalParts["store"]): Promise<"ok" | "unavailable"> {
  const checked = store.check().then(
    () => "ok" as const,
    () => "unavailable" as const,
  );
  const outcome = await within(STORE_CHECK_LIMIT_MS, checked);
  return outcome.kind === "late" ? "unavailable" : outcome.value;
}

/** Answers GET and HEAD; anything else is refused. */
export async function answerOperational(
  endpoint: Endpoint,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === "GET" || request.method === "HEAD") return endpoint(response);
  const { problem: refusal, headers } = refusedMethod(["GET", "HEAD"]);
  sendProblem(response, refusal, { ...headers, connection: "close" });
}
