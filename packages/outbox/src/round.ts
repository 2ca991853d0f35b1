import type { DeliveryAttempt, DeliveryCourse, WaitingDelivery } from "@svc/store/ports/delivery-store";
import { afterFailure, afterSuccess } from "./after-failure.ts";
import { nextAttemptMs } from "./attempt-times.ts";
import type { Bundle } from "./bundles.ts";
import type { AttemptOutcome, Pending } from "./destination.ts";

/** What the attempts of a step have come to so far. */
export class Round {
  course: DeliveryCourse;
  readonly attempts: DeliveryAttempt[] = [];
  readonly waiting: WaitingDelivery[] = [];
  readonly settled: string[] = [];
  isGone = false;

  constructor(course: DeliveryCourse) {
    this.course = course;
  }

  /** Lets deliveries wait that were not tried. */
  hold(deliveries: readonly Pending[], nextAtMs: number | null): void {
    this.waiting.push(...deliveries.map((each) => waitingOf(each, nextAtMs)));
  }

  note(
    { newest, all }: Bundle,
    outcome: AttemptOutcome,
    { endedMs, random }: { readonly endedMs: number; readonly random: () => number },
  ): void {
    const { status, fault, answer, latencyMs, retryAfterMs } = outcome;
    const { id: deliveryId, eventId, type, row } = newest;
    this.attempts.push({ deliveryId, eventId, type, row, atMs: endedMs, latencyMs, status, fault, answer });
    switch (outcome.kind) {
      case "delivered":
        this.course = afterSuccess(this.course, endedMs);
        this.settled.push(...all.filter(({ isStored }) => isStored).map(({ id }) => id));
        return;
      case "failed":
      case "refused": {
        this.course = afterFailure(this.course, endedMs);
        // One message, one time: those of a group stay together.
        const attempts = Math.max(...all.map((each) => each.attempts)) + 1;
        const isFinal = outcome.kind === "refused";
        const nextAtMs = isFinal ? null : nextAttemptMs({ attempts, endedMs, retryAfterMs }, random());
        this.waiting.push(...all.map((each) => waitingOf({ ...each, attempts }, nextAtMs)));
        return;
      }
      case "gone":
        this.isGone = true;
        this.course = afterFailure(this.course, endedMs);
        // It is sent first when the endpoint is enabled again.
        this.waiting.push(
          ...all.map((each) => waitingOf({ ...each, attempts: Math.max(each.attempts, 1) }, endedMs)),
        );
        return;
      default:
        return outcome.kind satisfies never;
    }
  }

  /** Takes over what a probe came to. A delivery that failed stays where it is. */
  takeProbe(probe: Round): void {
    this.course = probe.course;
    this.isGone = probe.isGone;
    this.attempts.push(...probe.attempts);
    this.settled.push(...probe.settled);
  }
}

function waitingOf(pending: Pending, nextAtMs: number | null): WaitingDelivery {
  const { id, eventId, type, row, eventAtMs, attempts } = pending;
  return { id, eventId, type, row, eventAtMs, attempts, nextAtMs };
}
