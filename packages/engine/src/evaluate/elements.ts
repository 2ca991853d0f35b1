import { isJsonObject, type JsonValue } from "@svc/text/json-value";
import type { ElementPlace, Elements, Quantifier } from "../condition.ts";
import type { GovernedCall } from "../evaluation.ts";
import type { CompiledQuestion } from "./compiled-question.ts";
import { BLOCKED, MISSING, memberOf } from "./field-path.ts";
import type { Found } from "./read-field.ts";
import { type TextWork, VISIT_WEIGHT } from "./text-work.ts";
import { agreed, anyHolds, everyHolds, type Truth } from "./truth.ts";

/** How one element is judged, for one call. */
export type ElementJudge = (call: GovernedCall, work: TextWork) => (found: Found) => Truth;

/**
 * Asks all elements of lists. A list that is empty holds for `every` and fails for `any`. What stands in the
 * way of a path is an element that cannot be judged. Of several places one that is missing adds nothing; the
 * field is missing when all of them are.
 */
export function compileElements(
  { places, quantifier }: Elements,
  nullIsMissing: boolean,
  judge: ElementJudge,
): CompiledQuestion {
  return (call, work) => {
    const found = readElements(places, call, { nullIsMissing, work });
    return typeof found === "string" ? found : judgeAll(found, quantifier, judge(call, work));
  };
}

function judgeAll(found: readonly Found[], quantifier: Quantifier, judge: (found: Found) => Truth): Truth {
  switch (quantifier) {
    case "every":
      return everyHolds(found, judge);
    case "any":
      return anyHolds(found, judge);
    case "count":
      return found.some((element) => typeof element === "symbol")
        ? "unsure"
        : agreed(judge(found.length), judge(countWithin(found)));
  }
}

/** Elements counted through lists within lists: a tool may flatten them. */
function countWithin(found: readonly Found[]): number {
  return found.reduce<number>(
    (count, element) => count + (Array.isArray(element) ? countWithin(element as readonly Found[]) : 1),
    0,
  );
}

/** Every value that the places lead to; `missing` when there is none of the places. */
export function readElements(
  places: readonly ElementPlace[],
  { args }: Pick<GovernedCall, "args">,
  options: { readonly nullIsMissing: boolean; readonly work: TextWork },
): readonly Found[] | "missing" | "unread" {
  const found: Found[] = [];
  let isMissing = true;
  for (const place of places) {
    const walk = new ElementWalk(place, found, options);
    const end = walk.visit(args, 0, false);
    if (end === "unread") return "unread";
    if (end !== "missing") isMissing = false;
  }
  return isMissing ? "missing" : found;
}

class ElementWalk {
  readonly #place: ElementPlace;
  readonly #found: Found[];
  readonly #nullIsMissing: boolean;
  readonly #work: TextWork;

  constructor(
    place: ElementPlace,
    found: Found[],
    { nullIsMissing, work }: { readonly nullIsMissing: boolean; readonly work: TextWork },
  ) {
    this.#place = place;
    this.#found = found;
    this.#nullIsMissing = nullIsMissing;
    this.#work = work;
  }

  /** @param isWithin whether a `*` was passed: what is missing from there on is an element that lacks it. */
  visit(value: JsonValue, at: number, isWithin: boolean): "visited" | "missing" | "unread" {
    if (!this.#work.spend(1, VISIT_WEIGHT)) return "unread";
    const segment = this.#place.pattern.segments[at];
    if (segment === undefined) return this.#add(value);
    if (value === null && this.#nullIsMissing && !isWithin) return "missing";
    if (typeof segment === "string") return this.#visitAll(value, at);
    const next = memberOf(value, segment);
    if (next === MISSING && !isWithin) return "missing";
    return next === MISSING || next === BLOCKED ? this.#add(next) : this.visit(next, at + 1, isWithin);
  }

  #visitAll(value: JsonValue, at: number): "visited" | "unread" {
    const { pattern, isList } = this.#place;
    const takesMembers = !isList || at < pattern.segments.length - 1;
    if (!Array.isArray(value) && !(takesMembers && isJsonObject(value))) return this.#add(BLOCKED);
    for (const element of Object.values(value) as readonly JsonValue[]) {
      if (this.visit(element, at + 1, true) === "unread") return "unread";
    }
    return "visited";
  }

  #add(found: Found): "visited" {
    this.#found.push(found);
    return "visited";
  }
}
