import { type Gateway, openGateway } from "@svc/gateway/gateway";
import { LargeCallThread } from "@svc/gateway/large-call-thread";
import { systemClock } from "@svc/process/clock";
import { nodeTimers } from "@svc/process/timers";
import { Admission } from "./admission/admission.ts";
import { admissionMetrics } from "./admission/admission-metrics.ts";
import { digestKeyOf } from "./digest-key.ts";
import { GatewayEndpoints } from "./gateway-endpoints.ts";
import { KillSwitchFeedEndpoint } from "./kill-switch-feed-endpoint.ts";
import type { OnVerdict } from "./print-decisions.ts";
import type { ServerParts } from "./server-parts.ts";

export interface GatewayRole {
  readonly gateway: Gateway;
  readonly gatewayEndpoints: GatewayEndpoints;
  readonly killSwitchFeed: KillSwitchFeedEndpoint;
  /** Starts the thread of large calls, so that the first large call does not wait for it. */
  startThreads(): void;
  /** Finishes the calls that were accepted. */
  close(): Promise<void>;
}

/** Starts the gateway. It is ready when control state is loaded. @throws when it cannot be read. */
export async function startGatewayRole(
  parts: ServerParts,
  onVerdict: OnVerdict | undefined,
): Promise<GatewayRole> {
  const { store, follower, logWriter, compiler, log, registry, settings, authenticators, noteRefusal } =
    parts;
  const { publicUrl } = settings;
  const authenticate = authenticators.lastKnown;
  const digestKey = await digestKeyOf(store);
  const shared = {
    store,
    follower,
    logWriter,
    compiler,
    clock: systemClock,
    timers: nodeTimers,
    log,
    registry,
  };
  const gateway = await openGateway({ ...shared, digestKey, publicUrl, onVerdict });
  const largeCalls = new LargeCallThread({ log, digestKey });
  const admission = new Admission(admissionMetrics(registry));
  const decide = { gateway, admission, largeCalls };
  return {
    gateway,
    gatewayEndpoints: new GatewayEndpoints({ ...decide, authenticate, log, noteRefusal }),
    killSwitchFeed: new KillSwitchFeedEndpoint({ gateway, authenticate, noteRefusal }),
    startThreads: () => largeCalls.start(),
    close: async () => {
      await largeCalls.close();
      await gateway.close();
    },
  };
}
