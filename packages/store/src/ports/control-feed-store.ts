import type { ControlEvent, ControlSnapshot, UnreadableEvent } from "./control-change.ts";

/** The feed from which gateways follow control state. */
export interface ControlFeedStore {
  snapshot(): Promise<ControlSnapshot>;
  /** At most `limit` events with revision > `revision`, ascending. */
  eventsAfter(revision: number, limit: number): Promise<readonly (ControlEvent | UnreadableEvent)[]>;
}
