import type { GatewayAcknowledgement } from "@svc/contract/acknowledgement";

/**
 * The target whose calls a switch would stop. `account` means every call of the organization; it
 * has no target.
 */
export interface ProbeTarget {
  readonly org: string;
  readonly scope: "session" | "agent" | "tool" | "namespace" | "account";
  readonly targetId: string | null;
}

/** Who called a target in the last quarter of an hour, in its wire form. */
export interface RecentCallers {
  readonly agents: readonly string[];
  readonly sessions: readonly string[];
  /** False: there may be more. */
  readonly complete: boolean;
}

export interface ProbeResult {
  readonly gateways: readonly GatewayAcknowledgement[];
  /** Who has called lately and would be stopped. */
  readonly affected: { readonly agents: readonly string[]; readonly sessions: readonly string[] };
  /** What is known about the name of the target; null for a switch without a target. */
  readonly sighting: TargetSighting | null;
}

/**
 * Whether gateways have seen the name of a target. Informational: a switch on an unknown name is
 * in force, too.
 */
export interface TargetSighting {
  /**
   * Whether a call had that name or a policy is bound to it. Null when that is not known, because
   * names were evicted.
   */
  readonly seen: boolean | null;
  /**
   * A known name of the same scope with a similar spelling; null when there is none or when the
   * target is known.
   */
  readonly nearest: string | null;
  /** Since when names are remembered, RFC 3339. */
  readonly since: string;
}

/** A committed activation or extension of a kill switch. */
export interface CommittedActivation {
  readonly killSwitchId: string;
  /** Of the commit. */
  readonly revision: number;
  readonly target: ProbeTarget;
}

/** What becomes known of a switch. Each promise may reject. */
export interface SwitchPropagation {
  /** As `announce` resolves. */
  readonly acknowledged: Promise<readonly GatewayAcknowledgement[]>;
  /** Who is affected, by the gateways that have said so. It needs no longer than the wait for all of them. */
  readonly probed: Promise<ProbeResult>;
}

/**
 * Announces commits to the gateways. Every call lists every known gateway. It resolves as soon as all have
 * acknowledged, or after its wait; a gateway that has not acknowledged by then is listed with null. A call
 * may reject; the change that it announces stays committed.
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
  /**
   * Changes nothing, and waits for POLICY_PROPAGATION_WAIT_MS. An acknowledgement means: the version of the
   * policy that was the latest when this method was called, or a later one, is in force at that gateway.
   */
  probePolicy(org: string, id: string): Promise<readonly GatewayAcknowledgement[]>;
  /**
   * Waits for `waitMs`. An acknowledgement means: that gateway judges credentials by the keys of
   * this revision or a later one.
   */
  announceKeyChange(revision: number, waitMs: number): Promise<readonly GatewayAcknowledgement[]>;
  /** Announces a switch, and finds out meanwhile who is affected. Waits for PROPAGATION_WAIT_MS. */
  announceSwitch(committed: CommittedActivation): SwitchPropagation;
  /**
   * Changes nothing. An acknowledgement means: that gateway enforces everything that was committed before
   * this method was called.
   */
  probe(target: ProbeTarget): Promise<ProbeResult>;
}
