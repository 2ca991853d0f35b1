import type { RowPosition } from "@svc/store/ports/row-position";
import type { ArgumentSum } from "./argument-sums.ts";
import type { CallGroup } from "./read-activity.ts";

/** Calls of one tool, of one session or of one rule. */
export interface NamedCalls extends Omit<CallGroup, "place"> {
  /** The stored text of one of them. */
  readonly text: string;
}

/** Groups of calls, those with most calls first. */
export interface NamedGroups {
  readonly named: readonly NamedCalls[];
  /** Calls of groups that are not named. */
  readonly leftOut: number;
}

export interface SampleCall {
  readonly position: RowPosition;
  readonly text: string;
  readonly withdrawn: boolean;
}

/** What one agent did in a time. */
export interface Activity {
  /** Null: it did not call. */
  readonly total: Omit<CallGroup, "place"> | null;
  readonly tools: NamedGroups;
  readonly sessions: NamedGroups;
  /** By decision, would-be decision and rule; without a rule by reason. */
  readonly verdicts: NamedGroups;
  readonly arguments: readonly ArgumentSum[];
  /** Numbers that were not added up, because there are too many different arguments. */
  readonly argumentsLeftOut: number;
  /** The newest calls of each tool and decision. */
  readonly samples: readonly SampleCall[];
  /** How many calls the arguments and samples come from: the newest ones. */
  readonly readCalls: number;
  /** False: only the newest calls of the time were looked at. */
  readonly complete: boolean;
}
