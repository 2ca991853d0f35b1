import type { Lane } from "@svc/http-edge/lane/lane";
import { Counter, type Registry } from "prom-client";

/** Shows how much of the traffic the lane reads, so that a client that misses it is found. */
export function registerLaneMetrics(
  registry: Registry,
  lane: Pick<Lane, "requestsTaken" | "connectionsHandedOver">,
): void {
  const counters = {
    requestsTaken: "svc_http_lane_requests_total",
    connectionsHandedOver: "svc_http_lane_handovers_total",
  } as const;
  new Counter({
    name: counters.requestsTaken,
    help: "Calls that were read in front of the HTTP parser (SVC_FAST_LANE)",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(lane.requestsTaken);
    },
  });
  new Counter({
    name: counters.connectionsHandedOver,
    help: "Connections that the fast lane has handed over to the HTTP parser",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(lane.connectionsHandedOver);
    },
  });
}
