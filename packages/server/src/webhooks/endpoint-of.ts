import type { OwnedWebhook } from "@svc/control-plane/webhook-sending";
import type { Endpoint } from "@svc/outbox/endpoint";

/** An endpoint as the sender takes it. */
export function endpointOf(
  { org, record }: OwnedWebhook,
  secrets: Endpoint["secrets"],
  courseVersion: number,
): Endpoint {
  const { id, url, events, agents, namespaces, decisions } = record;
  return {
    id,
    org,
    url,
    secrets,
    events: events.includes("*") ? null : new Set(events.filter((event) => event !== "*")),
    agents: setOf(agents),
    namespaces: setOf(namespaces),
    decisions: setOf(decisions),
    courseVersion,
  };
}

function setOf(names: readonly string[] | null): ReadonlySet<string> | null {
  return names === null ? null : new Set(names);
}
