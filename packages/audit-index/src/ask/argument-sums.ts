import type { Decision } from "@svc/contract/verdict";
import type { JsonValue } from "@svc/text/json-value";

/** Sums that are kept, as count: tools times decisions times arguments. */
const MAX_SUMS = 200;

/** Levels of objects and lists that are looked into, as count. */
const MAX_DEPTH = 8;

/** What one numeric argument of the calls of a tool added up to, for one decision. */
export interface ArgumentSum {
  readonly tool: string;
  readonly decision: Decision;
  /** Names joined by points; `*` is every element of a list. */
  readonly argument: string;
  /** Values that were added. */
  readonly values: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

/** Adds up the numbers in the arguments of calls. What a row masks is a text and adds nothing. */
export class ArgumentSums {
  readonly #sums = new Map<string, ArgumentSum>();
  #leftOut = 0;

  add(call: { readonly tool: string; readonly decision: Decision; readonly args: JsonValue }): void {
    this.#walk(call, call.args, []);
  }

  /** Those with most values first. `leftOut`: numbers beyond the limit of sums, which were not added. */
  result(): { readonly sums: readonly ArgumentSum[]; readonly leftOut: number } {
    const sums = [...this.#sums.values()].toSorted((one, other) => other.values - one.values);
    return { sums: sums.map((sum) => ({ ...sum, sum: rounded(sum.sum) })), leftOut: this.#leftOut };
  }

  #walk(
    call: { readonly tool: string; readonly decision: Decision },
    value: JsonValue,
    path: readonly string[],
  ): void {
    if (typeof value === "number") this.#addNumber(call, value, path.join("."));
    if (typeof value !== "object" || value === null || path.length >= MAX_DEPTH) return;
    const members = Array.isArray(value)
      ? value.map((each: JsonValue) => ["*", each] as const)
      : Object.entries(value);
    for (const [name, each] of members) this.#walk(call, each, [...path, name]);
  }

  #addNumber(
    { tool, decision }: { readonly tool: string; readonly decision: Decision },
    value: number,
    argument: string,
  ): void {
    const key = `${decision}\0${tool}\0${argument}`;
    const known = this.#sums.get(key);
    if (known === undefined && this.#sums.size >= MAX_SUMS) {
      this.#leftOut += 1;
      return;
    }
    const { values, sum, min, max } = known ?? { values: 0, sum: 0, min: value, max: value };
    this.#sums.set(key, {
      tool,
      decision,
      argument,
      values: values + 1,
      sum: sum + value,
      min: Math.min(min, value),
      max: Math.max(max, value),
    });
  }
}

/** Decimal digits that a sum of doubles keeps, as count: 0.1 and 0.2 are 0.3. */
const DIGITS = 15;

function rounded(sum: number): number {
  return Number(sum.toPrecision(DIGITS));
}
