/** Who takes a slot. */
export interface SlotHolder {
  readonly org: string;
  /** Id of the API key. */
  readonly key: string;
}

export interface SlotLimits {
  /** Slots of the process, as count. */
  readonly most: number;
  /** Slots of one API key, as count. */
  readonly ofKey: number;
}

/** Which limit leaves no slot: that of the process, of the organization or of the API key. */
export type SlotRefusal = "process" | "organization" | "key";

/**
 * Slots of one process that organizations share. An organization takes a slot only while it holds fewer than
 * are free. One alone gets at most half of all. However many take what they can get, the next one finds a
 * free slot, as long as there are fewer organizations than slots.
 */
export class SharedSlots {
  readonly #limits: SlotLimits;
  readonly #ofOrg = new Map<string, number>();
  readonly #ofKey = new Map<string, number>();
  #count = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  /** Why this holder gets no slot now; null when it gets one. */
  refusal(holder: SlotHolder): SlotRefusal | null {
    const free = this.#limits.most - this.#count;
    if (free <= 0) return "process";
    if ((this.#ofKey.get(keyText(holder)) ?? 0) >= this.#limits.ofKey) return "key";
    return this.heldBy(holder.org) < free ? null : "organization";
  }

  /** Slots that the organization holds. */
  heldBy(org: string): number {
    return this.#ofOrg.get(org) ?? 0;
  }

  /** @returns what gives the slot back; a second call does nothing */
  take(holder: SlotHolder): () => void {
    this.#change(holder, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#change(holder, -1);
      isTaken = false;
    };
  }

  #change(holder: SlotHolder, by: 1 | -1): void {
    this.#count += by;
    add(this.#ofOrg, holder.org, by);
    add(this.#ofKey, keyText(holder), by);
  }
}

function keyText({ org, key }: SlotHolder): string {
  return JSON.stringify([org, key]);
}

function add(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + by;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}
