import type { ControlSnapshot } from "@svc/store/ports/control-change";
import type { ControlSubscriber } from "../control-subscriber.ts";

/** Loads a snapshot in one turn of the event loop. */
export function loadAtOnce(subscriber: Pick<ControlSubscriber, "load">, snapshot: ControlSnapshot): void {
  const steps = subscriber.load(snapshot);
  while (steps.next().done !== true);
}
