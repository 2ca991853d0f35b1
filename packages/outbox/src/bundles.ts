import type { Delivery, Pending } from "./destination.ts";

/** Deliveries that are sent as one message, about the newest of them. */
export interface Bundle {
  readonly newest: Delivery;
  readonly all: readonly Pending[];
}

/** Milliseconds in which a receiver gets one message about a condition. */
const QUIET_MS = 60_000;

/** Deliveries by their groups, in the order of the first of each. One without a group is alone. */
export function grouped<Item extends Pending>(deliveries: readonly Item[]): readonly (readonly Item[])[] {
  const groups = new Map<string | Item, Item[]>();
  for (const delivery of deliveries) {
    const key = delivery.group ?? delivery;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [delivery]);
    else known.push(delivery);
  }
  return [...groups.values()];
}

/** Those of one condition as one message each. */
export function bundlesOf(deliveries: readonly Delivery[]): readonly Bundle[] {
  return grouped(deliveries).flatMap((all) => {
    const [newest] = newestFirst(all);
    return newest === undefined ? [] : [{ newest, all }];
  });
}

export function newestFirst<Item extends Pending>(deliveries: readonly Item[]): readonly Item[] {
  return deliveries.toSorted((left, right) => byTime(right, left));
}

type Timed = Pick<Pending, "eventAtMs" | "row">;

/** Events of one millisecond are of one log, nearly always. */
function byTime(left: Timed, right: Timed): number {
  return left.eventAtMs - right.eventAtMs || left.row.seq - right.row.seq;
}

interface Told extends Timed {
  readonly atMs: number;
  readonly state: string | null;
}

/** Conditions that are remembered, as count. One that is forgotten is told once more. */
const MOST_TOLD = 10_000;

/** What a receiver was last told about each condition. A restart forgets it, and costs one message more. */
export class ToldGroups {
  readonly #told = new Map<string, Told>();

  /** When the condition may be told again, in milliseconds since 1970; null: now. */
  heldUntilMs({ group, state }: Delivery, nowMs: number): number | null {
    const told = this.#of(group);
    if (told === null || told.state !== state || nowMs >= told.atMs + QUIET_MS) return null;
    return told.atMs + QUIET_MS;
  }

  /** Whether the receiver knows a newer state already. */
  isSuperseded(delivery: Delivery): boolean {
    const told = this.#of(delivery.group);
    if (told === null || told.state === null || told.state === delivery.state) return false;
    return byTime(told, delivery) > 0;
  }

  note({ group, state, eventAtMs, row }: Delivery, nowMs: number): void {
    if (group === null) return;
    this.#told.delete(group);
    this.#told.set(group, { atMs: nowMs, eventAtMs, row, state });
    const [oldest] = this.#told.keys();
    if (this.#told.size > MOST_TOLD && oldest !== undefined) this.#told.delete(oldest);
  }

  #of(group: string | null): Told | null {
    return group === null ? null : (this.#told.get(group) ?? null);
  }
}
