import type { ControlEvent, ControlSnapshot } from "@svc/store/ports/control-change";

/**
 * A part of the process that keeps some of the control state. It is given one snapshot, and then the events
 * that follow it, each once and in the order of their revisions; a fresh snapshot may come at any time. Both
 * methods must return quickly: the next subscriber gets its turn when they have.
 */
export interface ControlSubscriber {
  /** The revision that was loaded or applied last; it may be anything before the first snapshot. */
  readonly revision: number;
  /** Replaces everything. @throws when that is not possible; then nothing has changed. */
  load(snapshot: ControlSnapshot): void;
  /** @throws when the event cannot be applied; then a snapshot is loaded before the next event. */
  apply(event: ControlEvent): void;
}
