import { isJsonObject, type JsonValue } from "@svc/contract/json-value";
import { anyHolds, type Truth } from "./truth.ts";

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
 */
export function anyPartHolds(value: JsonValue, judges: PartJudges): Truth {
  if (typeof value === "string") return judges.text(value);
  if (isJsonObject(value))
    return anyHolds(Object.entries(value), ([name, member]) =>
      either(judges.text(name), () => anyPartHolds(member, judges)),
    );
  if (typeof value !== "object" || value === null) return judges.other(value);
  const { list } = judges;
  const within = anyHolds(value, (item) => anyPartHolds(item, judges));
  return list === undefined ? within : either(within, () => list(value));
}

function either(first: Truth, second: () => Truth): Truth {
  if (first === "holds") return first;
  const other = second();
  return other === "holds" || first === "fails" ? other : first;
}
