import type { JsonObject } from "@svc/text/json-value";
import type { AuthoredQuestion } from "./authored-rule.ts";
import type { FindingContext, Suspicion } from "./finding.ts";
import { holdsForEveryText } from "./holds-for-every-text.ts";
import { renderFlow } from "./render-flow.ts";
import { fieldOf, placeOfOperator, suspectQuestion, textsOf } from "./suspect-question.ts";
import { ABSENT, type Example } from "./witness/example-values.ts";

/** A condition that judges every value of its field in the same way. */
interface Constant {
  /** Whether it holds for every value, or for none. */
  readonly kind: "always" | "never";
  /** Why, as the end of a sentence. */
  readonly because: string;
  readonly fix: string;
  /** What was probably meant. */
  readonly instead: JsonObject;
  /** A value that the condition and the other one judge differently. */
  readonly example: Example;
}

/** Conditions that hold for every value, or for none, by the way they are written. */
export function* suspectConstants(context: FindingContext, kind: Constant["kind"]): Iterable<Suspicion> {
  for (const authored of context.rules.flatMap(({ questions }) => questions)) {
    for (const constant of constantsOf(authored)) {
      if (constant.kind !== kind) continue;
      const isPassed = (kind === "never") === (authored.role === "stops");
      const about = `this condition on ${fieldOf(authored)}`;
      yield suspectQuestion(context, authored, {
        place: placeOfOperator(authored),
        instead: constant.instead,
        shows: isPassed ? "passes" : "stopped",
        values: [constant.example],
        words: {
          message: `${about} ${kind === "always" ? "always" : "never"} holds: ${constant.because}`,
          expected: "a condition that some values meet and others do not",
          found: `operator: ${authored.operator}`,
          fix: constant.fix,
        },
      });
    }
  }
}

function constantsOf(authored: AuthoredQuestion): readonly Constant[] {
  const { operator, question } = authored;
  const { subject } = question;
  if (subject.kind === "call") return ofNames(authored);
  if (authored.written["value_field"] !== undefined) return withItself(authored);
  if (subject.kind === "usage" || (subject.kind === "elements" && subject.quantifier === "count"))
    return ofCounts(authored);
  if (subject.kind === "elements" && (operator === "exists" || operator === "not_exists"))
    return ofElements(authored, subject.quantifier);
  return operator === "matches" || operator === "contains" ? ofTexts(authored) : [];
}

function withItself({ operator, question, written }: AuthoredQuestion): readonly Constant[] {
  const { field, value_field } = written;
  if (field !== value_field || question.subject.kind !== "args") return [];
  const isNumber = operator === ">" || operator === ">=" || operator === "<" || operator === "<=";
  const never = operator === "!=" || operator === ">" || operator === "<";
  const always = operator === "==" || operator === ">=" || operator === "<=";
  if (!never && !always) return [];
  return [
    {
      kind: never ? "never" : "always",
      because: "value_field names the field itself",
      fix: "name the field to compare with in value_field",
      instead: { field: field ?? null, operator: never ? "exists" : "not_exists" },
      example: isNumber ? 1 : "ordinary",
    },
  ];
}

/** Counts and costs are never below zero, and counts are whole numbers. */
function ofCounts({ operator, question, written }: AuthoredQuestion): readonly Constant[] {
  const { value } = written;
  if (typeof value !== "number") return [];
  const isCost = question.subject.kind === "usage" && question.subject.name === "session.cost_usd";
  const isImpossible = value < 0 || (!isCost && !Number.isInteger(value));
  const near = Math.max(0, Math.floor(value));
  const with_ = (other: string, bound: number): JsonObject => ({ ...written, operator: other, value: bound });
  const example = (length: number): Example =>
    question.subject.kind === "elements" ? Array.from({ length: Math.min(length, 50) }, () => "x") : length;
  const because = isCost ? "no cost is below 0" : "a count is a whole number from 0";
  const always = (instead: JsonObject, at: number): Constant[] => [
    { kind: "always", because, fix: `write ${renderFlow(instead)}`, instead, example: example(at) },
  ];
  const never = (instead: JsonObject, at: number): Constant[] => [
    { kind: "never", because, fix: `write ${renderFlow(instead)}`, instead, example: example(at) },
  ];
  switch (operator) {
    case ">":
      return value < 0 ? always(with_(">", 0), 0) : [];
    case ">=":
      return value <= 0 ? always(with_(">", 0), 0) : [];
    case "<":
      return value <= 0 ? never(with_("<=", 0), 0) : [];
    case "<=":
      return value < 0 ? never(with_("<=", 0), 0) : [];
    case "==":
      return isImpossible ? never(with_("==", near), near) : [];
    case "!=":
      return isImpossible ? always(with_("!=", near), near) : [];
    default:
      return [];
  }
}

const COMPARES_NAMES: ReadonlySet<string> = new Set(["==", "in", "starts_with", "ends_with", "contains"]);

/** Names of agents, sessions, namespaces and tools have few characters. */
function ofNames(authored: AuthoredQuestion): readonly Constant[] {
  const texts = textsOf(authored).map(({ text }) => text);
  const names = texts.map((text) => text.trim().replaceAll(/[^A-Za-z0-9._:@/-]+/g, "-"));
  const [example = ""] = names;
  const isPossible = texts.some((text, at) => text === names[at] || text.includes("*"));
  if (example === "" || isPossible || !COMPARES_NAMES.has(authored.operator)) return [];
  const instead = { ...authored.written, value: names.length === 1 ? example : names };
  const because = "such a name has letters, digits and . _ : @ / - alone";
  return [{ kind: "never", because, fix: `write the name as it is, such as ${example}`, instead, example }];
}

function ofElements({ operator }: AuthoredQuestion, quantifier: string): readonly Constant[] {
  const because = "an element of a list exists";
  const given = "write not_empty to ask for texts that are not empty, or count for the number of elements";
  if (quantifier === "every" && operator === "exists")
    return [{ kind: "always", because, fix: given, instead: { operator: "not_empty" }, example: "" }];
  if (quantifier === "any" && operator === "not_exists")
    return [{ kind: "never", because, fix: given, instead: { operator: "==", value: "" }, example: "" }];
  return [];
}

function ofTexts({ operator, question, written }: AuthoredQuestion): readonly Constant[] {
  const { subject } = question;
  const { value = null, ...rest } = written;
  const { ignore_case: _case, ...plain } = rest;
  if (typeof value !== "string" || (subject.kind !== "args" && subject.kind !== "elements")) return [];
  if (operator === "contains" ? value !== "" : !holdsForEveryText(value)) return [];
  const because =
    operator === "contains" ? "every text contains the empty one" : "the pattern also matches the empty text";
  const fix =
    "write operator: exists if any value counts; in a pattern, write + in place of *, and no empty part";
  const whole = { ...rest, operator: operator === "contains" ? "==" : "matches_all", value };
  const always = { kind: "always", because, fix } as const;
  const absent: Constant = { ...always, instead: { ...plain, operator: "exists" }, example: ABSENT };
  return [{ ...always, instead: whole, example: "ordinary" }, ...(subject.kind === "args" ? [absent] : [])];
}
