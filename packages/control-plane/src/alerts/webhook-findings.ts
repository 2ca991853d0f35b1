import type { ObservedEndpoint } from "./alert-facts.ts";
import { type Finding, LATE_MS } from "./finding.ts";

/** What conditions of webhooks and integrations find of one of them. */
export const webhookFindings = { lateDeliveries, deadLetters, disabledEndpoint };

function lateDeliveries({ lagMs, ...endpoint }: ObservedEndpoint): Finding | null {
  if (endpoint.disabledReason !== null || lagMs < LATE_MS.ends) return null;
  const seconds = Math.round(lagMs / 1_000);
  const what = endpoint.kind === "webhook" ? "event" : "row";
  return {
    ...ofEndpoint(endpoint),
    summary: `The ${endpoint.kind} ${endpoint.id} has not had every ${what} for ${String(seconds)} seconds.`,
    details: { ...detailsOfEndpoint(endpoint), lag_seconds: seconds },
    ...(lagMs < LATE_MS.opens ? { onlyHolds: true } : {}),
  };
}

function deadLetters({ dead, ...endpoint }: ObservedEndpoint): Finding | null {
  if (dead === 0) return null;
  return {
    ...ofEndpoint(endpoint),
    summary: `The webhook ${endpoint.id} did not take some deliveries, which are not attempted any more.`,
    details: { ...detailsOfEndpoint(endpoint), dead },
  };
}

function disabledEndpoint(endpoint: ObservedEndpoint): Finding | null {
  const { disabledReason } = endpoint;
  if (disabledReason === null || disabledReason === "operator") return null;
  const why = disabledReason === "gone" ? "it answered 410" : "it failed for five days";
  return {
    ...ofEndpoint(endpoint),
    summary: `The webhook ${endpoint.id} was disabled, because ${why}.`,
    details: { ...detailsOfEndpoint(endpoint), disabled_reason: disabledReason },
  };
}

function ofEndpoint({ org, id }: Pick<ObservedEndpoint, "org" | "id">) {
  return { org, subject: id, agent_id: null };
}

function detailsOfEndpoint({ kind, id, origin }: Pick<ObservedEndpoint, "kind" | "id" | "origin">) {
  return { [`${kind}_id`]: id, origin };
}
