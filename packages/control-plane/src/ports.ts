import type {
  AssignmentStore,
  ControlFeedStore,
  KillSwitchStore,
  PolicyStore,
} from "@svc/store/ports/control-store";
import type { Ledger } from "@svc/store/ports/ledger";
import type { Propagation } from "./propagation.ts";

/** `now` is wall time, written down for people; `nowMs` only moves forward, and deadlines count on it. */
export interface ControlClock {
  now(): Date;
  nowMs(): number;
}

export interface Timers {
  /** Calls `run` once after about `delayMs` (0 to 2^31 - 1); what is returned cancels that. */
  after(delayMs: number, run: () => void): () => void;
}

/** Structured log; the shape of pino. */
export interface ControlLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Makes an identifier that nobody can guess and that was never made before. */
export type NewId = (prefix: "ks" | "asg") => string;

/** Told of switches that have a time to live; ends them when it is over. */
export interface TtlWatch {
  watch(timed: {
    readonly org: string;
    readonly killSwitchId: string;
    /** `expires_at` of the record: a switch that by then has a later end is not ended. */
    readonly expiresAt: string;
    readonly remainingMs: number;
  }): void;
  /** The switch has ended otherwise. Unknown ids are none of its business. */
  forget(killSwitchId: string): void;
}

/** Everything that operations reach the world through. Each operation names the few it needs. */
export interface ControlPlanePorts {
  readonly clock: ControlClock;
  readonly timers: Timers;
  readonly log: ControlLog;
  readonly newId: NewId;
  readonly killSwitches: KillSwitchStore;
  readonly policies: PolicyStore;
  readonly assignments: AssignmentStore;
  readonly controlFeed: Pick<ControlFeedStore, "snapshot">;
  /**
   * Appends rows that go with no change of state. The gateway commits to the same ledger: whoever wires this
   * keeps one commit in flight over both.
   */
  readonly ledger: Pick<Ledger, "commit">;
  readonly propagation: Propagation;
  readonly ttl: TtlWatch;
}
