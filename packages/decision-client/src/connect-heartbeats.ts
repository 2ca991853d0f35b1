import type { Warn } from "@svc/process/limited-warnings";
import { nodeTimers } from "@svc/process/timers";
import type { AdapterSettings } from "./adapter-environment.ts";
import { createGatewayDocuments } from "./gateway-documents.ts";
import { createHeartbeats, type Heartbeats, NO_HEARTBEATS } from "./heartbeats.ts";
import { faultText } from "./transport-code.ts";

export interface HeartbeatConnection extends Pick<AdapterSettings, "client" | "heartbeat"> {
  readonly warn: Warn;
}

/** The heartbeats of an adapter, over a connection of their own; none where they are off. */
export function connectHeartbeats({ client, heartbeat, warn }: HeartbeatConnection): Heartbeats {
  if (heartbeat === "off") return NO_HEARTBEATS;
  const gateway = createGatewayDocuments(client);
  const heartbeats = createHeartbeats({
    gateway,
    timers: nodeTimers,
    monotonicMs: () => performance.now(),
    onFault: (error) => warn("heartbeat", { error: faultText(error) }, "a heartbeat could not be sent"),
  });
  return {
    judged: (call, verdict) => heartbeats.judged(call, verdict),
    ended: (session) => heartbeats.ended(session),
    close: async () => {
      await heartbeats.close();
      await gateway.close();
    },
  };
}
