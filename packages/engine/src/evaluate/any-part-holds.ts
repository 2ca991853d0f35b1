import { isJsonObject, type JsonValue } from "@svc/text/json-value";
import { type TextWork, VALUE_WEIGHT } from "./text-work.ts";
import type { Truth } from "./truth.ts";

/** How the parts of a value are judged. */
export interface PartJudges {
  /** Texts, and names of members. */
  readonly text: (text: string) => Truth;
  readonly other: (scalar: number | boolean | null) => Truth;
  /** A list as a whole, when none of its members holds: a tool may join what is split over them. */
  readonly list?: (items: readonly JsonValue[]) => Truth;
}

/**
 * Whether a part of the value holds, at any depth, names of members included. The answer does not depend on
 * the order of members while there is work left.
 * @param work what each visited value is taken from; the judges take what they search.
 */
export function anyPartHolds(value: JsonValue, judges: PartJudges, work: TextWork): Truth {
  if (!work.spend(1, VALUE_WEIGHT)) return "unread";
  if (typeof value === "string") return judges.text(value);
  if (isJsonObject(value))
    return anyHoldsWhileRead(Object.entries(value), ([name, member]) =>
      either(judges.text(name), () => anyPartHolds(member, judges, work)),
    );
  if (typeof value !== "object" || value === null) return judges.other(value);
  const { list } = judges;
  const within = anyHoldsWhileRead(value, (item) => anyPartHolds(item, judges, work));
  return list === undefined || within === "unread" ? within : either(within, () => list(value));
}

/** As `anyHolds`, and ends where no work is left: going through all that is not read takes time as well. */
function anyHoldsWhileRead<T>(items: readonly T[], judge: (item: T) => Truth): Truth {
  let any: Truth = "fails";
  for (const item of items) {
    const truth = judge(item);
    if (truth === "holds" || truth === "unread") return truth;
    if (any === "fails") any = truth;
  }
  return any;
}

function either(first: Truth, second: () => Truth): Truth {
  if (first === "holds") return first;
  const other = second();
  return other === "holds" || first === "fails" ? other : first;
}
