import type { Explanation } from "@svc/contract/policy-explanation";
import { questionsOf } from "@svc/engine/condition";
import { nameOfSubject } from "@svc/engine/name-of-subject";
import type { CompiledFile } from "../policy-files/compile-policy-file.ts";
import { lineOf } from "../policy-files/read-policy-file.ts";

/** Something of a policy that a test should reach. */
export interface CoveragePoint {
  readonly kind: "rule" | "condition" | "glob";
  /** What was to happen: `the rule large-refund matches`. */
  readonly what: string;
  readonly line: number;
  readonly isReached: boolean;
}

interface Rule {
  readonly id: string;
  readonly line: number;
  readonly conditions: readonly string[];
}

/**
 * What of a policy a run of cases reached: each rule matched, each condition held and did not hold, each glob
 * of the lists matched. What could not be judged reaches nothing.
 */
export class Coverage {
  readonly #file: CompiledFile;
  readonly #rules: readonly Rule[];
  readonly #reached = new Set<string>();

  constructor(file: CompiledFile) {
    this.#file = file;
    this.#rules = file.reading.document.rules.map(({ id, place, match }) => ({
      id,
      line: lineOf(file.source, place.offset),
      conditions: questionsOf(match).map(({ subject, test }) => `${nameOfSubject(subject)} ${test.operator}`),
    }));
  }

  note({ rules, allowed, denied }: Explanation): void {
    for (const { id, outcome, conditions } of rules) {
      if (outcome === "matched") this.#reached.add(ruleKey(id));
      for (const [at, { truth }] of conditions.entries()) {
        if (truth === "holds") this.#reached.add(conditionKey(id, at, "holds"));
        if (truth === "fails" || truth === "missing") this.#reached.add(conditionKey(id, at, "fails"));
      }
    }
    for (const glob of allowed) this.#reached.add(globKey("tools.allowed", glob));
    for (const glob of denied) this.#reached.add(globKey("tools.denied", glob));
  }

  get points(): readonly CoveragePoint[] {
    const { allowed, denied } = this.#file.reading.document;
    return [
      ...this.#rules.flatMap((rule) => this.#pointsOf(rule)),
      ...allowed.map(({ glob, place }) => this.#globPoint("tools.allowed", glob, place.offset)),
      ...denied.map(({ glob, place }) => this.#globPoint("tools.denied", glob, place.offset)),
    ].toSorted((one, other) => one.line - other.line);
  }

  #pointsOf({ id, line, conditions }: Rule): readonly CoveragePoint[] {
    const isReached = this.#reached.has(ruleKey(id));
    return [
      { kind: "rule", what: `the rule ${id} matches`, line, isReached },
      ...conditions.flatMap((name, at) =>
        (["holds", "fails"] as const).map(
          (outcome): CoveragePoint => ({
            kind: "condition",
            what: `${name} of ${id} ${outcome === "holds" ? "holds" : "does not hold"}`,
            line,
            isReached: this.#reached.has(conditionKey(id, at, outcome)),
          }),
        ),
      ),
    ];
  }

  #globPoint(list: string, glob: string, offset: number): CoveragePoint {
    const isReached = this.#reached.has(globKey(list, glob));
    return {
      kind: "glob",
      what: `${glob} of ${list} matches`,
      line: lineOf(this.#file.source, offset),
      isReached,
    };
  }
}

function ruleKey(id: string): string {
  return JSON.stringify(["rule", id]);
}

function conditionKey(id: string, at: number, outcome: "holds" | "fails"): string {
  return JSON.stringify(["condition", id, at, outcome]);
}

function globKey(list: string, glob: string): string {
  return JSON.stringify([list, glob]);
}

/** In percent, cut to one decimal, so that what is not whole is never called 100. */
export function coveredPercent(points: readonly CoveragePoint[]): number {
  const reached = points.filter(({ isReached }) => isReached).length;
  return points.length === 0 ? 100 : Math.floor((reached * 1_000) / points.length) / 10;
}
