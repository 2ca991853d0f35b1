import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { ControlState } from "./control-state.ts";

/** What a follower of kill switches receives: the changes since a revision, or all active switches. */
export interface KillSwitchUpdate {
  /** Names the history that revisions count in. Revisions of different epochs cannot be compared. */
  readonly epoch: string;
  /** Revision of the control state that `records` reflects. The next request asks for changes after it. */
  readonly revision: number;
  /** True when `records` holds all active switches; false when it holds the changes since the revision. */
  readonly isComplete: boolean;
  readonly records: readonly KillSwitchRecord[];
}

/**
 * The kill switches of an organization that changed after a revision.
 * @param after the last revision that the follower knows; null when it knows none. When this gateway has not
 * reached that revision, or no longer keeps the changes after it, the answer is the complete list.
 */
export function killSwitchesSince(state: ControlState, org: string, after: number | null): KillSwitchUpdate {
  const { revision } = state;
  const { epoch } = state.killSwitchFeed;
  const changes = after === null || after > revision ? null : state.killSwitchFeed.changesAfter(org, after);
  if (changes?.kind === "changes") return { epoch, revision, isComplete: false, records: changes.records };
  return { epoch, revision, isComplete: true, records: state.killSwitchesOf(org) };
}
