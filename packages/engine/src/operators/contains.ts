import type { JsonValue } from "@svc/text/json-value";
import { anyPartHolds } from "../evaluate/any-part-holds.ts";
import { compileIgnoringCase, type TextTest } from "../evaluate/fold-case.ts";
import { FIND_WEIGHT, type TextWork } from "../evaluate/text-work.ts";
import { anyHolds, type Truth, truthOf } from "../evaluate/truth.ts";
import {
  expectOneOrMore,
  expectScalar,
  oneOrMoreSchema,
  type Scalar,
  scalarSchema,
} from "../validate/expect-value.ts";
import { onlyValue } from "./comparable-values.ts";
import { joinedTexts } from "./joined-texts.ts";
import { defineOperator, type Judge } from "./operator.ts";

/** Whether a text has the wanted part. */
type PartTest = (text: string, work: TextWork) => Truth;

/** Part of a text, or member of a list; of several wanted values one is enough. */
export const contains = defineOperator<readonly Scalar[]>({
  name: "contains",
  summary: "is a text with that part, or a list with that member",
  judges: ["args", "call", "anywhere"],
  canIgnoreCase: true,
  validate: ({ value, subject }, reporter) =>
    expectOneOrMore(value, (item) => expectScalar(item, subject, reporter), reporter),
  valueSchema: (compared) => oneOrMoreSchema(scalarSchema(compared)),
  compile: (wanted, { ignoreCase, isAnywhere }): Judge => {
    const judges = wanted.map((one) => compileOne(one, ignoreCase, isAnywhere));
    const [only] = judges;
    if (only !== undefined && judges.length === 1) return only;
    return (value, work) => anyHolds(judges, (judge) => judge(value, work));
  },
  compileAgainst:
    ({ ignoreCase }) =>
    (value, other, work) =>
      isScalar(other) && other !== "" ? compileOne(other, ignoreCase, false)(value, work) : "unsure",
  show: (wanted) => (wanted[1] === undefined ? (wanted[0] ?? "") : wanted),
  comparable: onlyValue,
});

function isScalar(value: JsonValue): value is Scalar {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function compileOne(wanted: Scalar, ignoreCase: boolean, isAnywhere: boolean): Judge {
  const hasPart = compilePart(wanted, ignoreCase);
  return isAnywhere ? compileAnywhere(wanted, hasPart) : compileContains(wanted, ignoreCase, hasPart);
}

/**
 * A list that mixes types, or in which a longer text has the wanted one as a part, is not judged: many tools
 * join the members of a list.
 */
function compileContains(wanted: Scalar, ignoreCase: boolean, hasPart: PartTest): Judge {
  return (value, work) => {
    if (typeof value === "string") return hasPart(value, work);
    if (!Array.isArray(value)) return "unsure";
    const items = value as readonly JsonValue[];
    if (!work.spend(items.length, FIND_WEIGHT)) return "unread";
    if (!ignoreCase && items.includes(wanted)) return "holds";
    for (const item of items) {
      if (typeof item !== typeof wanted) return "unsure";
      if (typeof item !== "string") continue;
      const part = hasPart(item, work);
      if (part !== "fails") return part === "holds" ? "unsure" : part;
    }
    return joinedHolds(items, hasPart, work);
  };
}

/** Every text at any depth. A number or a boolean may be a text to the tool, and a text a number. */
function compileAnywhere(wanted: Scalar, hasPart: PartTest): Judge {
  const text = String(wanted);
  const mayHold = (found: unknown): Truth => (String(found).includes(text) ? "unsure" : "fails");
  return (value, work) =>
    anyPartHolds(
      value,
      {
        text: (found) => (typeof wanted === "string" ? hasPart(found, work) : mayHold(found)),
        other: (found) => (found === wanted ? "holds" : mayHold(found)),
        list: (items) => joinedHolds(items, typeof wanted === "string" ? hasPart : mayHold, work),
      },
      work,
    );
}

/** What is split over the members of a list is one text to a tool that joins them. */
function joinedHolds(items: readonly JsonValue[], hasPart: PartTest, work: TextWork): Truth {
  const truth = anyHolds(joinedTexts(items), (joined) => hasPart(joined, work));
  return truth === "holds" ? "unsure" : truth;
}

const includes: TextTest = (text, wanted) => text.includes(wanted);

function compilePart(wanted: Scalar, ignoreCase: boolean): PartTest {
  if (typeof wanted !== "string") return () => "unsure";
  const test = ignoreCase
    ? compileIgnoringCase(includes, wanted)
    : (text: string): Truth => truthOf(text.includes(wanted));
  return (text, work) => (work.spend(text.length, FIND_WEIGHT) ? test(text) : "unread");
}
