import type { GovernedCall } from "../evaluation.ts";
import type { Condition, Field } from "../policy-document.ts";
import type { Truth } from "./condition.ts";
import { BLOCKED, MISSING } from "./field-path.ts";
import { compileField, type Found } from "./read-field.ts";

/** A condition that made no claim, and why. */
export interface Doubt {
  readonly condition: Condition;
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
export function describeCause({ condition: { field, test }, truth }: Doubt, call: GovernedCall): string {
  const name = shortName(field);
  switch (truth) {
    case "missing":
      return `${name} is missing`;
    case "unread":
      return `${name} is too long to be searched with the rest of this call`;
    case "unsure": {
      const found = compileField(field)(call);
      return found === BLOCKED || found === MISSING
        ? `${name} cannot be reached, because the arguments have another shape there`
        : `${name} is ${typeName(found)}, which the operator ${test.operator} cannot judge`;
    }
  }
}

function shortName(field: Field): string {
  const name = field.kind === "args" ? field.path.text : field.name;
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
