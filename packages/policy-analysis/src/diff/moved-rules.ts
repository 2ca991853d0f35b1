import type { JsonObject } from "@svc/text/json-value";

/** A rule whose place among the rules of its priority changed. Places count from 1, over all rules. */
export interface MovedRule {
  readonly id: string;
  readonly before: number;
  readonly after: number;
}

type Rules = ReadonlyMap<string, JsonObject>;

/**
 * The fewest rules whose move explains the new order of evaluation. Rules of different priorities do not
 * change places: a rule whose priority changed is a changed rule, and not a moved one.
 */
export function movedRules(before: Rules, after: Rules): readonly MovedRule[] {
  const [oldPlaces, newPlaces] = [placesOf(before), placesOf(after)];
  const stayed = [...oldPlaces.keys()].filter(
    (id) => newPlaces.has(id) && priorityOf(before, id) === priorityOf(after, id),
  );
  const groups = Map.groupBy(stayed, (id) => priorityOf(before, id));
  return [...groups.values()].flatMap((ids) => {
    const places = ids.map((id) => newPlaces.get(id) ?? 0);
    const kept = longestRun(places);
    return ids.flatMap((id, at) => {
      if (kept.has(at)) return [];
      return [{ id, before: oldPlaces.get(id) ?? 0, after: newPlaces.get(id) ?? 0 }];
    });
  });
}

/** The place of each rule in the order of evaluation. */
function placesOf(rules: Rules): ReadonlyMap<string, number> {
  const ids = [...rules.keys()].toSorted((one, other) => priorityOf(rules, one) - priorityOf(rules, other));
  return new Map(ids.map((id, at) => [id, at + 1]));
}

function priorityOf(rules: Rules, id: string): number {
  const priority = rules.get(id)?.["priority"];
  return typeof priority === "number" ? priority : 0;
}

/** Indexes of a longest ascending subsequence of distinct numbers. */
function longestRun(numbers: readonly number[]): ReadonlySet<number> {
  /** By length less one: the index of the smallest number that ends a run of that length. */
  const ends: number[] = [];
  const previous: (number | null)[] = [];
  for (const [at, number] of numbers.entries()) {
    let length = 0;
    for (let high = ends.length; length < high; ) {
      const middle = (length + high) >> 1;
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) length = middle + 1;
      else high = middle;
    }
    previous.push(length === 0 ? null : (ends[length - 1] ?? null));
    ends[length] = at;
  }
  const run = new Set<number>();
  for (let at = ends.at(-1) ?? null; at !== null; at = previous[at] ?? null) run.add(at);
  return run;
}
