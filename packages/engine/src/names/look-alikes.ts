import { isAscii, skeletonOf } from "./skeleton.ts";

/**
 * Names that something was set up for, and which other names look like them. Two names in ASCII never count
 * as look-alikes: `agent-1` and `agent-l` are different words to everybody who sets agents up.
 */
export class LookAlikes {
  /** By skeleton, each with how often it was added. */
  readonly #names = new Map<string, Map<string, number>>();
  /** How many of the names have letters outside ASCII. */
  #foreign = 0;

  add(name: string): void {
    const skeleton = skeletonOf(name);
    let names = this.#names.get(skeleton);
    if (names === undefined) {
      names = new Map();
      this.#names.set(skeleton, names);
    }
    const count = names.get(name) ?? 0;
    names.set(name, count + 1);
    if (count === 0 && !isAscii(name)) this.#foreign += 1;
  }

  /** Takes back one `add` of the name. */
  remove(name: string): void {
    const skeleton = skeletonOf(name);
    const names = this.#names.get(skeleton);
    const count = names?.get(name) ?? 0;
    if (names === undefined || count === 0) return;
    if (count > 1) {
      names.set(name, count - 1);
      return;
    }
    names.delete(name);
    if (names.size === 0) this.#names.delete(skeleton);
    if (!isAscii(name)) this.#foreign -= 1;
  }

  has(name: string): boolean {
    return this.#names.get(skeletonOf(name))?.has(name) === true;
  }

  /** Whether no name in ASCII looks like another one of these. */
  get isPlain(): boolean {
    return this.#foreign === 0;
  }

  /** Another of the names that this one looks like; null when there is none. */
  find(name: string): string | null {
    const plain = isAscii(name);
    if (plain && this.#foreign === 0) return null;
    for (const other of this.#names.get(skeletonOf(name))?.keys() ?? [])
      if (other !== name && !(plain && isAscii(other))) return other;
    return null;
  }
}
