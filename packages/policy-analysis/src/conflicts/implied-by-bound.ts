import type { Rule } from "@svc/engine/policy-document";

/** A rule that asks one thing of a call: that a number lies on one side of a bound. */
interface Bounded {
  readonly field: string;
  readonly direction: "above" | "below";
  readonly isInclusive: boolean;
  readonly bound: number;
  /** What a missing field means. */
  readonly missing: string;
}

/** Whether a rule matches every call that the other one matches, because its bound takes in more numbers. */
export function isImpliedByBound(over: Rule, rule: Rule): boolean {
  const [wide, narrow] = [boundOf(over), boundOf(rule)];
  if (wide === null || narrow === null) return false;
  if (wide.field !== narrow.field || wide.direction !== narrow.direction || wide.missing !== narrow.missing)
    return false;
  const further = (narrow.bound - wide.bound) * (wide.direction === "above" ? 1 : -1);
  return further > 0 || (further === 0 && (wide.isInclusive || !narrow.isInclusive));
}

/** The field that the rule compares with a bound; null: it asks something else. */
export function boundedField(rule: Rule): string | null {
  return boundOf(rule)?.field ?? null;
}

/** A number beyond the bound of the rule. */
export function numberBeyond(rule: Rule): number {
  const bounded = boundOf(rule);
  if (bounded === null) return 0;
  return bounded.bound + (bounded.direction === "above" ? 1 : -1);
}

function boundOf({ match }: Rule): Bounded | null {
  if (match?.kind !== "question" || match.subject.kind !== "args") return null;
  const { operator, operand, against } = match.test;
  if (against !== null || typeof operand !== "number") return null;
  if (operator !== ">" && operator !== ">=" && operator !== "<" && operator !== "<=") return null;
  return {
    field: match.subject.path.text,
    direction: operator.startsWith(">") ? "above" : "below",
    isInclusive: operator.endsWith("="),
    bound: operand,
    missing: `${match.whenMissing ?? "as usual"} ${String(match.nullIsMissing)}`,
  };
}
