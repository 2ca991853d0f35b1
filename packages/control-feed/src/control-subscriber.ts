import type { ControlEvent, ControlSnapshot } from "@svc/store/ports/control-change";

/** What follows control state: it holds some of it, as of one revision. */
export interface ControlSubscriber {
  /** The last revision that this subscriber has applied whole; 0 before the first snapshot. */
  readonly revision: number;
  /** Replaces everything that is held. @throws when that is not possible; then nothing has changed. */
  load(snapshot: ControlSnapshot): void;
  /** Applies the next revision. @throws when the event is not the next one or cannot be applied. */
  apply(event: ControlEvent): void;
}
