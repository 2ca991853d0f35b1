import { ENDED_SWITCHES } from "@svc/contract/ended-switches";
import { evaluatorFactory } from "@svc/engine/evaluator-factory";
import { type Gateway, openGateway } from "@svc/gateway/gateway";
import { LargeCallThread } from "@svc/gateway/large-call-thread";
import { Admission } from "@svc/http-api/admission";
import { admissionMetrics } from "@svc/http-api/admission-metrics";
import { GatewayEndpoints } from "@svc/http-api/gateway-endpoints";
import { KillSwitchFeedEndpoint, type KillSwitchFeedParts } from "@svc/http-api/kill-switch-feed-endpoint";
import { withinDeadline } from "@svc/http-api/within-deadline";
import { systemClock } from "@svc/process/clock";
import { createLimitedWarnings } from "@svc/process/limited-warnings";
import { nodeTimers } from "@svc/process/timers";
import type { Store } from "@svc/store/ports/store";
import { deploymentKeyOf } from "../keys/deployment-key.ts";
import type { OnVerdict } from "../trial/print-decisions.ts";
import type { ServerParts } from "./server-parts.ts";
import { tracedGateway } from "./traced-gateway.ts";

export interface GatewayRole {
  readonly gateway: Gateway;
  readonly gatewayEndpoints: GatewayEndpoints;
  readonly killSwitchFeed: KillSwitchFeedEndpoint;
  /** Finishes the calls that were accepted. */
  close(): Promise<void>;
}

/** Starts the gateway. It is ready when control state is loaded. @throws when it cannot be read. */
export async function startGatewayRole(
  parts: ServerParts,
  onVerdict: OnVerdict | undefined,
): Promise<GatewayRole> {
  const { store, follower, logWriter, documents, modules, log, registry } = parts;
  const { settings, authenticators, noteRefusal } = parts;
  const { publicUrl, docsUrl } = settings;
  const authenticate = authenticators.lastKnown;
  const digestKey = await deploymentKeyOf(store, "digest");
  const shared = {
    store,
    follower,
    logWriter,
    reader: documents,
    evaluators: evaluatorFactory(modules.runtime),
    clock: systemClock,
    timers: nodeTimers,
    log,
    registry,
  };
  const opened = await openGateway({ ...shared, digestKey, publicUrl, onVerdict });
  const gateway = tracedGateway(opened, parts.telemetry);
  const largeCalls = new LargeCallThread({ log, digestKey });
  const admission = new Admission(admissionMetrics(registry));
  const decide = { gateway, admission, largeCalls };
  return {
    gateway,
    gatewayEndpoints: new GatewayEndpoints({
      ...decide,
      authenticate,
      log,
      noteRefusal,
      docsUrl,
      publicUrl,
    }),
    killSwitchFeed: new KillSwitchFeedEndpoint({
      gateway,
      authenticate,
      noteRefusal,
      warn: createLimitedWarnings(log),
      endedSwitches: endedSwitches(withinDeadline(store.killSwitches)),
    }),
    close: async () => {
      await largeCalls.close();
      await gateway.close();
    },
  };
}

function endedSwitches(
  killSwitches: Pick<Store["killSwitches"], "killSwitches">,
): KillSwitchFeedParts["endedSwitches"] {
  return async (org) => {
    const page = await killSwitches.killSwitches(org, "inactive", { limit: ENDED_SWITCHES, after: null });
    if (page === "bad_cursor") throw new Error("a list from its beginning has no cursor");
    return page.items;
  };
}
