import { above, atLeast, atMost, below } from "./above-below.ts";
import { among, notAmong } from "./among.ts";
import { contains } from "./contains.ts";
import { detectsOperator } from "./detects.ts";
import { differs, equals } from "./equals.ts";
import { exists, notEmpty, notExists } from "./exists.ts";
import { hostWithinOperator } from "./host-within.ts";
import { matches, matchesAll } from "./matches.ts";
import { onlyNames } from "./only-names.ts";
import type { Operator } from "./operator.ts";
import { pathNamedOperator } from "./path-named.ts";
import { pathWithinOperator } from "./path-within.ts";
import { runs, runsOnly } from "./runs.ts";
import { sqlOnly } from "./sql-only.ts";
import { endsWith, startsWith } from "./text-ends.ts";
import { timeWithinOperator } from "./time-within.ts";

/**
 * Every operator of conditions. To add one: write a file beside this one with `defineOperator`, add its line
 * here, and show it in docs/POLICY.md and testdata/operators.yaml, which tests demand. Names that people use
 * elsewhere go to `OPERATOR_LIST`; further keys of its conditions go to `PLACES`.
 */
const TABLE: readonly Operator[] = [
  above,
  atLeast,
  below,
  atMost,
  equals,
  differs,
  among,
  notAmong,
  contains,
  startsWith,
  endsWith,
  matches,
  matchesAll,
  exists,
  notExists,
  notEmpty,
  onlyNames,
  detectsOperator,
  pathWithinOperator,
  pathNamedOperator,
  hostWithinOperator,
  timeWithinOperator,
  runs,
  runsOnly,
  sqlOnly,
];

export const OPERATORS: readonly string[] = TABLE.map(({ name }) => name);

const BY_NAME: ReadonlyMap<string, Operator> = new Map(TABLE.map((operator) => [operator.name, operator]));

/** @throws when a document that was not validated names an unknown one. */
export function operatorNamed(name: string): Operator {
  const operator = BY_NAME.get(name);
  if (operator === undefined) throw new Error(`there is no operator ${name}`);
  return operator;
}

/** Null: not an operator. */
export function findOperator(name: string): Operator | null {
  return BY_NAME.get(name) ?? null;
}
