import type { JsonValue } from "@svc/text/json-value";
import { compileIgnoringCase } from "../evaluate/fold-case.ts";
import { anyHolds, type Truth } from "../evaluate/truth.ts";
import type { Reporter } from "../read/reporter.ts";
import { expectScalars, type Scalar, scalarsSchema } from "../validate/expect-value.ts";
import { defineOperator, type Judge, type OperandSource } from "./operator.ts";

const common = {
  judges: ["args", "call", "usage"],
  canIgnoreCase: true,
  /** At least one value, all of one type. */
  validate: ({ value, subject }: OperandSource, reporter: Reporter): readonly Scalar[] | null =>
    expectScalars(value, subject, reporter),
  valueSchema: scalarsSchema,
  show: (values: readonly Scalar[]) => values,
} as const;

/** A value of another type than that of the set is not judged. */
function compileMembership(values: readonly Scalar[], member: Truth, other: Truth): Judge {
  const set: ReadonlySet<JsonValue> = new Set<JsonValue>(values);
  const type = typeof values[0];
  return (value) => {
    if (typeof value !== type) return "unsure";
    return set.has(value) ? member : other;
  };
}

function compileFoldedMembership(values: readonly Scalar[], member: Truth, other: Truth): Judge {
  const tests = values.map((value) => compileIgnoringCase((text, wanted) => text === wanted, String(value)));
  return (value) => {
    if (typeof value !== "string") return "unsure";
    const truth = anyHolds(tests, (test) => test(value));
    if (truth === "holds") return member;
    return truth === "fails" ? other : truth;
  };
}

function compileSide(member: Truth, other: Truth) {
  return (values: readonly Scalar[], { ignoreCase }: { readonly ignoreCase: boolean }): Judge =>
    ignoreCase && typeof values[0] === "string"
      ? compileFoldedMembership(values, member, other)
      : compileMembership(values, member, other);
}

export const among = defineOperator<readonly Scalar[]>({
  ...common,
  name: "in",
  summary: "is one of the values",
  compile: compileSide("holds", "fails"),
});

export const notAmong = defineOperator<readonly Scalar[]>({
  ...common,
  name: "not_in",
  summary: "is none of the values",
  compile: compileSide("fails", "holds"),
});
