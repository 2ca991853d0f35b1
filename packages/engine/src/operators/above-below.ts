import { truthOf } from "../evaluate/truth.ts";
import type { Reporter } from "../read/reporter.ts";
import { expectNumber, numberSchema } from "../validate/expect-value.ts";
import { defineOperator, type Judge, type OperandSource, type PairJudge } from "./operator.ts";

/** Numbers compare exactly, and with numbers alone. */
const common = {
  judges: ["args", "usage"],
  validate: ({ value, subject }: OperandSource, reporter: Reporter): number | null =>
    expectNumber(value, subject, reporter),
  valueSchema: numberSchema,
  show: (bound: number) => bound,
} as const;

function pair(holds: (value: number, other: number) => boolean): () => PairJudge {
  return () => (value, other) =>
    typeof value === "number" && typeof other === "number" ? truthOf(holds(value, other)) : "unsure";
}

export const above = defineOperator<number>({
  ...common,
  name: ">",
  summary: "is a number above the value",
  compile:
    (bound): Judge =>
    (value) =>
      typeof value === "number" ? truthOf(value > bound) : "unsure",
  compileAgainst: pair((value, other) => value > other),
});

export const atLeast = defineOperator<number>({
  ...common,
  name: ">=",
  summary: "is a number that is at least the value",
  compile:
    (bound): Judge =>
    (value) =>
      typeof value === "number" ? truthOf(value >= bound) : "unsure",
  compileAgainst: pair((value, other) => value >= other),
});

export const below = defineOperator<number>({
  ...common,
  name: "<",
  summary: "is a number below the value",
  compile:
    (bound): Judge =>
    (value) =>
      typeof value === "number" ? truthOf(value < bound) : "unsure",
  compileAgainst: pair((value, other) => value < other),
});

export const atMost = defineOperator<number>({
  ...common,
  name: "<=",
  summary: "is a number that is at most the value",
  compile:
    (bound): Judge =>
    (value) =>
      typeof value === "number" ? truthOf(value <= bound) : "unsure",
  compileAgainst: pair((value, other) => value <= other),
});
