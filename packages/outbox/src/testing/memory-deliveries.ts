import {
  type ChangedCourse,
  type CourseChange,
  type DeliveryAttempt,
  type DeliveryCourses,
  newCourse,
  type StoredCourse,
  type WaitingDelivery,
} from "@svc/store/ports/delivery-store";

/** The deliveries of one endpoint in memory. It shares nothing with the courier. */
export class MemoryDeliveries implements DeliveryCourses {
  /** Runs before and after each change: throw for a store that fails, or for an answer that is lost. */
  fault: (when: "before" | "after") => void = () => undefined;
  readonly attempts: DeliveryAttempt[] = [];
  readonly waiting = new Map<string, WaitingDelivery>();
  #stored = { version: 1, course: newCourse(new Map()) };

  get now(): StoredCourse {
    return { ...this.#stored, dueAtMs: this.#dueAtMs() };
  }

  course(): Promise<StoredCourse> {
    return Promise.resolve(this.now);
  }

  async change({ version, course, attempts, waiting, settled }: CourseChange): Promise<ChangedCourse> {
    this.fault("before");
    if (version !== this.#stored.version) return { kind: "superseded" };
    this.#stored = { version: version + 1, course };
    this.attempts.push(...attempts);
    for (const delivery of waiting) this.waiting.set(delivery.id, delivery);
    for (const id of settled) this.waiting.delete(id);
    this.fault("after");
    return { kind: "changed", version: version + 1, dueAtMs: this.#dueAtMs() };
  }

  due(_endpointId: string, nowMs: number, limit: number): Promise<readonly WaitingDelivery[]> {
    const due = [...this.waiting.values()].filter(({ nextAtMs }) => nextAtMs !== null && nextAtMs <= nowMs);
    return Promise.resolve(due.toSorted((left, right) => dueOf(left) - dueOf(right)).slice(0, limit));
  }

  #dueAtMs(): number | null {
    const due = [...this.waiting.values()].filter(({ nextAtMs }) => nextAtMs !== null).map(dueOf);
    return due.length === 0 ? null : Math.min(...due);
  }
}

function dueOf({ nextAtMs }: WaitingDelivery): number {
  return nextAtMs ?? Number.POSITIVE_INFINITY;
}
