import type { Question } from "../condition.ts";
import type { GovernedCall } from "../evaluation.ts";
import { operatorNamed } from "../operators/operator-table.ts";
import { BLOCKED, MISSING } from "./field-path.ts";
import { nameOfSubject } from "./name-of-subject.ts";
import { compileField, type Found } from "./read-field.ts";
import type { Truth } from "./truth.ts";

/** A condition that made no claim, and why. */
export interface Doubt {
  readonly question: Question;
  readonly truth: Exclude<Truth, "holds" | "fails">;
}

/** Longest name of a field, in UTF-16 units, that a reason repeats: the policy wrote it. */
const FIELD_LENGTH = 100;

/** The cause, and what counts as a match because of it. */
export function describeDoubt(doubt: Doubt, call: GovernedCall): string {
  return `${describeCause(doubt, call)}, and ${COUNTS[doubt.truth]}`;
}

const COUNTS: { readonly [truth in Doubt["truth"]]: string } = {
  missing: "a missing field",
  unread: "a text that is not searched",
  unsure: "a value that cannot be judged",
};

/**
 * The cause in words, for the reason of a verdict: names the field, the type of what was found and the
 * operator, never a value.
 */
export function describeCause({ question, truth }: Doubt, call: GovernedCall): string {
  const name = shortName(nameOfSubject(question.subject));
  switch (truth) {
    case "missing":
      return `${name} is missing`;
    case "unread":
      return `${name} is too long to be searched with the rest of this call`;
    case "unsure":
      return describeUnsure(question, name, call);
  }
}

/** Operators that read a text as something else. They judge each text, unless it has several readings. */
const READS_TEXTS: ReadonlySet<string> = new Set([
  "host_within",
  "path_named",
  "path_within",
  "runs",
  "runs_only",
  "sql_only",
]);

function describeUnsure({ subject, test }: Question, name: string, call: GovernedCall): string {
  const { operator, operand, against } = test;
  if (subject.kind === "elements") {
    if (subject.quantifier === "count") return `${name} is not a list whose elements can be counted`;
    return `${name} has an element that the operator ${operator} cannot judge, or is not a list`;
  }
  const { describe, judgesAllArguments } = operatorNamed(operator);
  if (subject.kind === "anywhere" && judgesAllArguments !== true)
    return `an argument may hold what the operator ${operator} looks for`;
  const found = compileField(subject)(call);
  if (found === BLOCKED || found === MISSING)
    return `${name} cannot be reached, because the arguments have another shape there`;
  const doubt = describe?.(test.operand, found)?.doubt ?? null;
  if (doubt !== null) return `${name} holds ${doubt}, which the operator ${operator} does not judge`;
  const hasReadings = test.ignoreCase || READS_TEXTS.has(operator);
  if (against === null && typeof found === "string" && hasReadings)
    return `${name} is a text with several readings, which the operator ${operator} cannot judge`;
  if (against === null) return `${name} is ${typeName(found)}, which the operator ${operator} cannot judge`;
  const other = shortName(nameOfSubject(against));
  const asked = operand === null ? "compared with" : "judged together with";
  return `${name} cannot be ${asked} ${other} by the operator ${operator}`;
}

function shortName(name: string): string {
  return name.length <= FIELD_LENGTH ? name : `${name.slice(0, FIELD_LENGTH)}...`;
}

function typeName(found: Exclude<Found, symbol>): string {
  if (found === null) return "a null";
  if (Array.isArray(found)) return "a list";
  switch (typeof found) {
    case "string":
      return "a text";
    case "number":
      return "a number";
    case "boolean":
      return "a boolean";
    default:
      return "an object";
  }
}
