import type { KillSwitchRecord } from "@svc/contract/kill-switch";
import type { ControlState } from "./control-state.ts";

/** What a follower of kill switches is told. */
export interface KillSwitchNews {
  /** Names the history that revisions count; one of another epoch says nothing about this one. */
  readonly epoch: string;
  /** Of the control state that this tells of: the next question asks for what comes behind it. */
  readonly revision: number;
  /** Whether `records` are all active switches, instead of the changes since that revision. */
  readonly isComplete: boolean;
  readonly records: readonly KillSwitchRecord[];
}

/**
 * What an organization's follower has to know.
 * @param after the revision that it knows; null: none. One that this gateway has not reached, or forgot, is
 * answered with the complete list.
 */
export function killSwitchNews(state: ControlState, org: string, after: number | null): KillSwitchNews {
  const { revision } = state;
  const { epoch } = state.killSwitchFeed;
  const changes = after === null || after > revision ? null : state.killSwitchFeed.changesAfter(org, after);
  if (changes?.kind === "changes") return { epoch, revision, isComplete: false, records: changes.records };
  return { epoch, revision, isComplete: true, records: state.killSwitchesOf(org) };
}
