import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { BLOCKED, type FieldPattern, type PatternSegment } from "./field-path.ts";
import { type Change, REMOVED } from "./set-at.ts";
import { type TextWork, VISIT_WEIGHT } from "./text-work.ts";

/** Not all values could be visited with the work that the call had left. */
export const UNVISITED = Symbol("unvisited");

type Fault = typeof BLOCKED | typeof UNVISITED;

type Changed = JsonValue | typeof REMOVED | Fault;

/**
 * Changes every place that a path with wildcards stands for. Follows all readings of the path at once: a bit
 * mask holds the positions in the path that a value may be at, so each value is visited once, whatever the
 * wildcards, and the cost is that of reading the arguments.
 */
export class MatchingChange {
  readonly #change: Change;
  readonly #whenBlocked: "stop" | "change";
  /** The position past the last segment: whatever is there is a match. */
  readonly #end: number;
  /** Positions of `**`, of `*`, of all names, and of names that are not a place in a list. */
  readonly #anyDepth: number;
  readonly #anyName: number;
  readonly #names: number;
  readonly #nonIndexes: number;
  /** Positions of each name, and of each place in a list. */
  readonly #byName: ReadonlyMap<string, number>;
  readonly #byIndex: ReadonlyMap<number, number>;

  /**
   * @param whenBlocked what to do where a name cannot be followed: give up, or change what stands in the way.
   */
  constructor({ segments }: FieldPattern, change: Change, whenBlocked: "stop" | "change" = "stop") {
    this.#change = change;
    this.#whenBlocked = whenBlocked;
    this.#end = 1 << segments.length;
    const positionsOf = (matches: (segment: PatternSegment) => boolean): number =>
      segments.reduce((mask, segment, at) => (matches(segment) ? mask | (1 << at) : mask), 0);
    const named = segments.filter((segment) => typeof segment === "object");
    const positionsOfName = (name: string): number =>
      positionsOf((segment) => typeof segment === "object" && segment.name === name);
    this.#anyDepth = positionsOf((segment) => segment === "**");
    this.#anyName = positionsOf((segment) => segment === "*");
    this.#names = positionsOf((segment) => typeof segment === "object");
    this.#nonIndexes = positionsOf((segment) => typeof segment === "object" && segment.index === null);
    this.#byName = new Map(named.map(({ name }) => [name, positionsOfName(name)]));
    this.#byIndex = new Map(
      named.flatMap(({ name, index }) => (index === null ? [] : [[index, positionsOfName(name)] as const])),
    );
  }

  /**
   * The arguments with all matches changed. Of matches within each other the outermost is changed whole. It
   * copies only what changes; the same object comes back when nothing does. A removed list entry becomes
   * null.
   * @returns BLOCKED when a name cannot be followed. What `*` stands for counts as if it were named, so a
   * text where an object was expected blocks the path. What `**` passes by does not.
   */
  apply(args: JsonObject, work: TextWork): JsonObject | Fault {
    const changed = this.#changed(args, 1, work);
    if (changed === UNVISITED) return UNVISITED;
    return typeof changed !== "symbol" && isJsonObject(changed) ? changed : BLOCKED;
  }

  #changed(value: JsonValue, positions: number, work: TextWork): Changed {
    if (!work.spend(1, VISIT_WEIGHT)) return UNVISITED;
    if ((positions & this.#end) !== 0) return this.#change(value);
    if (typeof value !== "object" || value === null)
      return (positions & (this.#names | this.#anyName)) === 0 ? value : this.#blocked(value);
    if (isJsonObject(value)) return this.#changedObject(value, positions, work);
    return (positions & this.#nonIndexes) === 0
      ? this.#changedList(value, positions, work)
      : this.#blocked(value);
  }

  #blocked(value: JsonValue): Changed {
    return this.#whenBlocked === "stop" ? BLOCKED : this.#change(value);
  }

  #changedObject(object: JsonObject, positions: number, work: TextWork): Changed {
    let copy: Record<string, JsonValue> | null = null;
    for (const name of Object.keys(object)) {
      const next = this.#next(positions, this.#byName.get(name) ?? 0);
      if (next === 0) continue;
      const value = object[name] ?? null;
      const changed = this.#changed(value, next, work);
      if (changed === BLOCKED || changed === UNVISITED) return changed;
      if (changed === value) continue;
      copy ??= Object.assign(Object.create(null) as Record<string, JsonValue>, object);
      if (changed === REMOVED) delete copy[name];
      else copy[name] = changed;
    }
    return copy ?? object;
  }

  #changedList(items: JsonArray, positions: number, work: TextWork): Changed {
    let copy: JsonValue[] | null = null;
    for (const [index, value] of items.entries()) {
      const next = this.#next(positions, this.#byIndex.get(index) ?? 0);
      if (next === 0) continue;
      const changed = this.#changed(value, next, work);
      if (changed === BLOCKED || changed === UNVISITED) return changed;
      const entry = changed === REMOVED ? null : changed;
      if (entry === value) continue;
      copy ??= [...items];
      copy[index] = entry;
    }
    return copy ?? items;
  }

  /** Where a member is when its object is at some positions; `named`: the positions of its name. */
  #next(positions: number, named: number): number {
    const anyDepth = positions & this.#anyDepth;
    // A `**` stands for no level as well, so the position after it is reached without a step.
    const reached = positions | (anyDepth << 1);
    return anyDepth | ((reached & (this.#anyName | named)) << 1);
  }
}
