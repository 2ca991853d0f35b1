import type { GatewayAcknowledgement } from "@svc/contract/kill-switch";

/** Whose calls a switch would stop. `account`: every call of the organization; it has no target. */
export interface ProbeTarget {
  readonly org: string;
  readonly scope: "session" | "agent" | "tool" | "namespace" | "account";
  readonly targetId: string | null;
}

export interface ProbeResult {
  readonly gateways: readonly GatewayAcknowledgement[];
  /** Who has called lately and would be stopped. */
  readonly affected: { readonly agents: readonly string[]; readonly sessions: readonly string[] };
}

/**
 * The way from a commit to the gateways. Both calls list every known gateway and resolve as soon as all have
 * acknowledged, or after PROPAGATION_WAIT_MS; who has not acknowledged by then is listed with null.
 * They may reject; the change they are about stays committed.
 */
export interface Propagation {
  /** An acknowledgement means: that gateway enforces everything up to this revision. */
  announce(revision: number): Promise<readonly GatewayAcknowledgement[]>;
  /** Changes nothing. An acknowledgement: that gateway enforces everything committed before the call. */
  probe(target: ProbeTarget): Promise<ProbeResult>;
}
