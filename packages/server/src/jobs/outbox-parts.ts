import type { ComposedControl } from "@svc/http-api/compose-control";
import type { OutboxParts } from "@svc/outbox/outbox";
import { SharedPages } from "@svc/outbox/shared-pages";
import { systemClock } from "@svc/process/clock";
import { nodeTimers } from "@svc/process/timers";
import type { ServerParts } from "../start/server-parts.ts";

/** What the senders to webhooks and to channels have in common: they read each row once. */
export type CommonOutboxParts = Omit<OutboxParts, "endpoints" | "disable" | "noteAttempt">;

export function outboxParts(
  { store, log, news }: Pick<ServerParts, "store" | "log" | "news">,
  { controlPlane: { digest, leads } }: ComposedControl,
): CommonOutboxParts {
  return {
    deliveries: store.deliveries,
    pages: new SharedPages({ audit: store.audit, clock: systemClock, news }),
    digest,
    leads,
    clock: systemClock,
    timers: nodeTimers,
    log,
    random: () => Math.random(),
  };
}
