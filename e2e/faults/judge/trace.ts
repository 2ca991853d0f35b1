/**
 * What a run under faults recorded. All times are milliseconds of one monotonic clock, that of the process
 * which sends the calls. `sent`, `asked` and `began` are read before the act, `answered` after it.
 */
export interface Trace {
  readonly gateways: readonly string[];
  /** The agent that no switch stops. */
  readonly steadyAgent: string;
  readonly calls: readonly Call[];
  readonly kills: readonly Kill[];
  readonly releases: readonly Release[];
  readonly faults: readonly Fault[];
  readonly applied: readonly Applied[];
  /** Processes that ran to the end of the trace, when every change had been made. */
  readonly survivors: readonly string[];
}

export interface Call {
  readonly gateway: string;
  readonly agent: string;
  /** Unique in the trace. The session of the call is `call-<order>`, which its audit row holds. */
  readonly order: number;
  readonly sentMs: number;
  /** Null: no answer came. */
  readonly answeredMs: number | null;
  readonly decision: string | null;
  readonly decisionId: string | null;
}

/** An activation that was answered with the record of its switch. */
export interface Kill {
  readonly agent: string;
  readonly switchId: string;
  readonly askedMs: number;
  readonly answeredMs: number;
  readonly isEnforced: boolean;
  readonly gateways: readonly AnsweredGateway[];
  /** When every gateway denies at the latest; null when the answer does not say so, because it lists them. */
  readonly leaseEndsMs: number | null;
}

/** A gateway as the answer to an activation lists it. */
export interface AnsweredGateway {
  readonly id: string;
  readonly isAcknowledged: boolean;
  /** When a gateway that stayed silent denies every call at the latest; null for one that acknowledged. */
  readonly leaseEndsMs: number | null;
}

/** A deactivation, or a try: without an answer it may take effect at any later time. */
export interface Release {
  readonly switchId: string;
  readonly askedMs: number;
  readonly answeredMs: number | null;
}

export interface Fault {
  readonly kind: string;
  /** The id of a gateway, or `database` for all of them. */
  readonly target: string;
  readonly beganMs: number;
  /** From here on the fault had its whole effect. */
  readonly inForceMs: number;
  /** The fault had its whole effect until here. */
  readonly liftedMs: number;
  /** Recovery counts from here. */
  readonly endedMs: number;
  /** Whether nothing could pass between the target and its database while the fault was in force. */
  readonly isolates: boolean;
}

/** A change of control state that a part of a process has applied, as its log says. */
export interface Applied {
  readonly gateway: string;
  /** Unique for each start of a gateway, ascending. */
  readonly process: string;
  readonly part: string;
  readonly by: "snapshot" | "event";
  readonly revision: number;
  /** Kind of the change; null for a snapshot. */
  readonly change: string | null;
  /** From the wall clock of the process, to the millisecond. */
  readonly loggedMs: number;
}

/** What the database holds after the run, read without the product. */
export interface Records {
  /** By log and number. */
  readonly rows: readonly StoredRow[];
  readonly heads: readonly { readonly logId: string; readonly size: number; readonly hash: string }[];
  /** The revision log, ascending. */
  readonly events: readonly StoredEvent[];
}

/** `prevHash` and `hash` are hexadecimal. */
export interface StoredRow {
  readonly logId: string;
  readonly seq: number;
  readonly prevHash: string;
  readonly hash: string;
  readonly text: string;
}

export interface StoredEvent {
  readonly revision: number;
  readonly kind: string;
  /** The switch that the event activates; null for any other event. */
  readonly activates: string | null;
}

/** One broken promise. */
export interface Finding {
  readonly rule: string;
  readonly detail: string;
}

/** What one part of the judge found, and how much it could judge: a judge without cases proves nothing. */
export interface Judgement {
  readonly findings: readonly Finding[];
  readonly judged: Readonly<Record<string, number>>;
}
