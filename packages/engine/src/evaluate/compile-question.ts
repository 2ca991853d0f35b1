import type { Field, Question, Test } from "../condition.ts";
import type { GovernedCall } from "../evaluation.ts";
import type { Judge, PairJudge, PresenceJudge } from "../operators/operator.ts";
import { operatorNamed } from "../operators/operator-table.ts";
import type { CompiledQuestion } from "./compiled-question.ts";
import { compileElements } from "./elements.ts";
import { BLOCKED, MISSING } from "./field-path.ts";
import type { PatternSet } from "./pattern-set.ts";
import { compileField, compilePresence, type Found } from "./read-field.ts";
import {
  compileRemembered,
  type RememberedPaths,
  type RememberingReader,
  withoutNull,
} from "./remembered-fields.ts";
import type { TextWork } from "./text-work.ts";
import type { Truth } from "./truth.ts";

/** What the questions of one policy share. */
export interface QuestionContext {
  readonly patterns: PatternSet;
  readonly paths: RememberedPaths;
}

export function compileQuestion(
  { subject, test, nullIsMissing }: Question,
  { patterns, paths }: QuestionContext,
): CompiledQuestion {
  if (subject.kind === "elements") {
    const judge = compileElement(test, patterns);
    return compileElements(subject, nullIsMissing, judge);
  }
  const { judgesPresence } = operatorNamed(test.operator);
  if (judgesPresence === true) {
    const present = compilePresence(subject);
    const read = nullIsMissing ? withoutNull(present) : present;
    const judge = compilePresenceJudge(test, patterns);
    return (call, work) => judge(read(call, work.memory));
  }
  const read = compileRemembered(subject, nullIsMissing, paths);
  if (test.against !== null) return compilePair(read, test, test.against, patterns);
  const judge = compileJudge(test, patterns, subject.kind === "anywhere");
  return (call, work) => {
    const found = read(call, work.memory);
    if (found === MISSING) return "missing";
    return found === BLOCKED ? "unsure" : judge(found, work);
  };
}

/** A field that cannot be compared with because it is missing makes the other one no less suspect. */
function compilePair(
  read: RememberingReader,
  test: Test,
  against: Field,
  patterns: PatternSet,
): CompiledQuestion {
  const judge = pairJudge(test, patterns);
  const readOther = compileField(against);
  return (call, work) => {
    const found = read(call, work.memory);
    if (found === MISSING) return "missing";
    const other = readOther(call);
    if (found === BLOCKED || other === MISSING || other === BLOCKED) return "unsure";
    return judge(found, other, work);
  };
}

/** Judges what a path led to within a list. */
function compileElement(test: Test, patterns: PatternSet) {
  const { judgesPresence } = operatorNamed(test.operator);
  if (judgesPresence === true) {
    const judge = compilePresenceJudge(test, patterns);
    return () => (found: Found) => judge(found);
  }
  if (test.against !== null) {
    const judge = pairJudge(test, patterns);
    const readOther = compileField(test.against);
    return (call: GovernedCall, work: TextWork) => {
      const other = readOther(call);
      return (found: Found): Truth =>
        typeof found === "symbol" || typeof other === "symbol" ? "unsure" : judge(found, other, work);
    };
  }
  const judge = compileJudge(test, patterns, false);
  return (_call: GovernedCall, work: TextWork) =>
    (found: Found): Truth =>
      typeof found === "symbol" ? "unsure" : judge(found, work);
}

function pairJudge({ operator, operand, ignoreCase }: Test, patterns: PatternSet): PairJudge {
  const { beside, compileAgainst } = operatorNamed(operator);
  if (operand !== null && beside !== undefined) return beside.compile(operand);
  const judge = compileAgainst?.({ patterns, ignoreCase, isAnywhere: false });
  if (judge === undefined) throw new Error(`the operator ${operator} compares with no field`);
  return judge;
}

function compileJudge(
  { operator, operand, ignoreCase }: Test,
  patterns: PatternSet,
  isAnywhere: boolean,
): Judge {
  const { compile } = operatorNamed(operator);
  return compile(operand, { patterns, ignoreCase, isAnywhere });
}

function compilePresenceJudge({ operator, operand, ignoreCase }: Test, patterns: PatternSet): PresenceJudge {
  const { compile } = operatorNamed(operator);
  return compile(operand, { patterns, ignoreCase, isAnywhere: false }) as PresenceJudge;
}
