import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import type { FollowedState } from "@svc/control-feed/control-follower";
import type { Gateway } from "@svc/gateway/gateway";
import { jsonAnswer } from "@svc/http-edge/answer";
import { VERSION } from "@svc/process/version";
import { within } from "@svc/process/within";
import type { Store } from "@svc/store/ports/store";
import type { Registry } from "prom-client";
import { answerWith, type Pages } from "./web-app.ts";

export interface OperationalParts {
  /** Null: this process decides no calls, and loads no policies. */
  readonly gateway: Pick<Gateway, "policiesLoaded"> | null;
  /** Every part of this process that has to be current. */
  readonly followed: readonly Pick<FollowedState, "ageMs">[];
  readonly store: Pick<Store, "check">;
  readonly registry: Registry;
  /** Of what evaluates Rego modules. */
  readonly opaVersion: string;
  /** Whether the process ends, and should get no further requests. */
  readonly isEnding: () => boolean;
}

/** Milliseconds that the health check of the store may take. */
const STORE_CHECK_LIMIT_MS = 1_000;

/**
 * The endpoints for orchestrators and monitoring. They need no credentials and show no secrets.
 * Paths are exact.
 */
export function operationalPages(parts: OperationalParts): Pages {
  const { gateway, followed, store, registry, opaVersion, isEnding } = parts;
  return {
    ...alivePages(opaVersion),
    "/readyz": async (c) => {
      const isVerified = followed.every(({ ageMs }) => ageMs <= CONTROL_LEASE_MS);
      const controlState = isVerified ? "ok" : "unverified";
      const storeState = await stateOfStore(store);
      const policies = gateway?.policiesLoaded() !== false ? "ok" : "loading";
      const isHealthy = controlState === "ok" && policies === "ok" && storeState === "ok";
      const ready = isHealthy && !isEnding();
      const status = ready ? "ready" : "not_ready";
      const body = { status, control_state: controlState, policies, store: storeState };
      return answerWith(c, jsonAnswer(ready ? 200 : 503, body));
    },
    "/metrics": async (c) => {
      const text = await registry.metrics();
      return answerWith(c, { status: 200, text, headers: { "content-type": registry.contentType } });
    },
  };
}

/** What a process answers from its first moment. @param opa version of what evaluates Rego modules */
export function alivePages(opa: string): Pages {
  return {
    "/healthz": (c) => answerWith(c, jsonAnswer(200, { status: "ok" })),
    "/version": (c) => answerWith(c, jsonAnswer(200, { name: "svc", version: VERSION, opa })),
  };
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
