import type { Warn } from "@svc/process/limited-warnings";
import { Counter, Gauge, type Registry } from "prom-client";
import {
  CLOSE_CAUSES,
  type CloseCause,
  ConnectionGate,
  type ConnectionGateOptions,
} from "./connection-gate.ts";
import type { TrustedProxies } from "./trusted-proxies.ts";

const IF_PROXY = "if it is a proxy of yours, name it in SVC_TRUSTED_PROXIES";

const MESSAGES: Readonly<Record<CloseCause, string>> = {
  accepts: `connections were refused: one address opened too many a second that proved nothing; ${IF_PROXY}`,
  address: `the oldest unproven connections of one address were closed: it held too many; ${IF_PROXY}`,
  pipelining: "connections that pipeline requests were closed: too many requests waited for their turn",
  places: "the oldest unproven connections were closed: all places for unproven connections were taken",
};

export interface OpenGateOptions extends Pick<ConnectionGateOptions, "limits"> {
  readonly trustedProxies: TrustedProxies;
  readonly warn: Warn;
}

/** The gate of a program's listener. It warns of each cause for which it closes connections. */
export function openGate({ warn, ...options }: OpenGateOptions): ConnectionGate {
  return new ConnectionGate({
    ...options,
    onClosed: (cause, peer) => warn(`connection ${cause}`, { cause, peer }, MESSAGES[cause]),
  });
}

/** Shows how many connections hold a place, and how many were closed for lack of one. */
export function registerConnectionMetrics(
  registry: Registry,
  gate: Pick<ConnectionGate, "held" | "closed">,
): void {
  new Gauge({
    name: "svc_connections",
    help: "Open connections of the listener. unproven: none has brought a valid key, or a whole request",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(gate.held)) this.set({ state }, count);
    },
  });
  new Counter({
    name: "svc_connections_closed_total",
    help: "Connections that a limit closed: accepts, places of an address, places of all, pipelining",
    labelNames: ["cause"],
    registers: [registry],
    collect() {
      this.reset();
      for (const cause of CLOSE_CAUSES) this.inc({ cause }, gate.closed[cause]);
    },
  });
}
