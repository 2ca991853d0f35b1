import type { ControlEvent, ControlSnapshot } from "@svc/store/ports/control-change";

/**
 * A part of the process that keeps some of the control state. It receives one snapshot and then the events
 * that follow it, each once and in the order of their revisions. A fresh snapshot may come at any time. Each
 * step of `load`, and `apply`, must return quickly, because calls and the next subscriber wait for them.
 */
export interface ControlSubscriber {
  /** The revision that was loaded or applied last; it may be anything before the first snapshot. */
  readonly revision: number;
  /**
   * Replaces everything, in steps. What is in force stays so until the last step, which replaces all of it at
   * once. No event is applied between the steps. The caller may stop before the last step, and then nothing
   * has changed. @throws when that is not possible; then nothing has changed.
   */
  load(snapshot: ControlSnapshot): Generator<undefined, void>;
  /** @throws when the event cannot be applied; then a snapshot is loaded before the next event. */
  apply(event: ControlEvent): void;
}
