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
  /** What is known of the name that the switch names; null for a switch that names none. */
  readonly sighting: TargetSighting | null;
}

/** Whether a target is a name that gateways have met. Informational: a switch on an unknown name counts. */
export interface TargetSighting {
  /** Whether a call of that name came or a policy is bound to it; null: not known, names were forgotten. */
  readonly seen: boolean | null;
  /** A known name of the same scope that is spelled nearly alike; null: none, or the target is known. */
  readonly nearest: string | null;
  /** Since when names are remembered, RFC 3339. */
  readonly since: string;
}

/**
 * The way from a commit to the gateways. Every call lists every known gateway and resolves as soon as all
 * have acknowledged, or after its wait; a gateway that has not acknowledged by then is listed with null. A
 * call may reject; the change that it is about stays committed.
 */
export interface Propagation {
  /**
   * Waits for PROPAGATION_WAIT_MS. An acknowledgement means: that gateway has applied everything up to this
   * revision, and enforces its kill switches. A new version of a policy may still be compiled there.
   */
  announce(revision: number): Promise<readonly GatewayAcknowledgement[]>;
  /**
   * Waits for POLICY_PROPAGATION_WAIT_MS. An acknowledgement means the same, and that the policies which the
   * change of this revision touches are in force there.
   */
  announcePolicyChange(revision: number): Promise<readonly GatewayAcknowledgement[]>;
  /** Changes nothing. An acknowledgement: that gateway enforces everything committed before the call. */
  probe(target: ProbeTarget): Promise<ProbeResult>;
}
