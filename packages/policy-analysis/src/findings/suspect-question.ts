import { matchesGlob } from "@svc/engine/glob";
import { overlapWitness } from "@svc/engine/glob-overlap";
import { nameOfSubject } from "@svc/engine/name-of-subject";
import type { PolicyDocument, Rule } from "@svc/engine/policy-document";
import type { Place } from "@svc/engine/reporter";
import type { JsonObject } from "@svc/text/json-value";
import type { AuthoredQuestion } from "./authored-rule.ts";
import type { FindingContext, Repair, Suspicion } from "./finding.ts";
import { type JsonPath, withValueAt } from "./json-path.ts";
import { type Assignment, waysToHinge } from "./witness/assignments.ts";
import { pinned, plainCall } from "./witness/draft-call.ts";
import { ABSENT, type Example } from "./witness/example-values.ts";
import { sampleOf } from "./witness/pattern-sample.ts";

/** What is wrong with one condition. */
export interface QuestionDoubt extends Pick<Suspicion, "place" | "shows" | "words"> {
  /** What to write in place of the condition, or of what stands below `every`. */
  readonly instead: JsonObject;
  /** Values of the field that the condition as written and the other one judge differently. */
  readonly values: readonly Example[];
  /** The field that the values are of. Absent: that of the condition. */
  readonly field?: string;
  /** Values of other fields that belong to them. */
  readonly beside?: readonly Assignment[];
}

export function suspectQuestion(
  { document }: FindingContext,
  authored: AuthoredQuestion,
  { instead, values, field = fieldOf(authored), beside = [], ...doubt }: QuestionDoubt,
): Suspicion {
  const { at, ruleWritten, rule } = authored;
  const written = withValueAt(ruleWritten, at, () => instead) as JsonObject;
  const repair: Repair = { kind: "rule", rule, written };
  const hinges = waysToHinge(ruleWritten["match"] ?? null, at.slice(1));
  const calls = values.flatMap((value) =>
    toolsOf(rule, document).flatMap((tool) =>
      hinges.map((hinge) => {
        const draft = pinned({ call: plainCall(tool), pinned: [] }, hinge);
        return pinned(draft, [{ field, value: asElement(authored, value) }, ...beside]);
      }),
    ),
  );
  return { ...doubt, calls, repair };
}

/** What is wrong with one text of a condition. */
export interface TextDoubt extends Pick<QuestionDoubt, "values" | "words"> {
  /** What to write in place of the text. */
  readonly text: string;
}

/** A text that stops fewer calls than it seems to, or allows fewer. */
export function suspectText(
  context: FindingContext,
  { authored, written }: { readonly authored: AuthoredQuestion; readonly written: WrittenText },
  { text, ...doubt }: TextDoubt,
): Suspicion {
  return suspectQuestion(context, authored, {
    place: written.place,
    instead: withText(authored, written, text),
    shows: authored.role === "stops" ? "passes" : "stopped",
    ...doubt,
  });
}

/** A pattern that looks for another text than the one that was meant. */
export function suspectPattern(
  context: FindingContext,
  where: { readonly authored: AuthoredQuestion; readonly written: WrittenText },
  { pattern, words }: Pick<QuestionDoubt, "words"> & { readonly pattern: string },
): Suspicion {
  const sample = sampleOf(pattern);
  return suspectText(context, where, { text: pattern, values: sample === null ? [] : [sample], words });
}

/** The value in the form in which the condition reads it. */
function asElement({ question: { subject } }: AuthoredQuestion, value: Example): Example {
  if (value === ABSENT || subject.kind !== "elements" || subject.quantifier === "count") return value;
  return subject.places[0]?.isList === true ? [value] : value;
}

/** The field of a condition; of several the first. */
export function fieldOf({ question: { subject } }: AuthoredQuestion): string {
  return subject.kind === "elements" ? (subject.places[0]?.name ?? "") : nameOfSubject(subject);
}

/** Where the field of a condition stands. */
export function placeOfField({ node }: AuthoredQuestion): Place {
  return node.entries.find(({ key }) => key === "field")?.value ?? node;
}

/** Where the operator of a condition stands. */
export function placeOfOperator({ node }: AuthoredQuestion): Place {
  return node.entries.find(({ key }) => key === "operator")?.value ?? node;
}

/** The last name of the field in lower case: what a person calls it. */
export function shortNameOf(authored: AuthoredQuestion): string {
  const names = fieldOf(authored)
    .split(".")
    .filter((name) => !/^(?:\*+|[0-9]+)$/.test(name));
  return (names.at(-1) ?? "").toLowerCase();
}

/** Tools that a rule is about and that may be called, as examples. */
export function toolsOf(
  { tools }: Pick<Rule, "tools">,
  { allowed, denied }: PolicyDocument,
): readonly string[] {
  const names = tools.flatMap((glob) => [
    ...allowed.slice(0, MAX_ALLOWED).map((one) => overlapWitness(glob, one.glob)),
    overlapWitness(glob, "*"),
  ]);
  const isDenied = (name: string): boolean => denied.some(({ glob }) => matchesGlob(glob, name));
  return [...new Set(names)]
    .filter((name) => name !== null && !isDenied(name))
    .slice(0, MAX_TOOLS) as string[];
}

/** Most entries of tools.allowed that are looked at for an example, as count. */
const MAX_ALLOWED = 50;

/** Most tools that a suspicion is tried with, as count. */
const MAX_TOOLS = 2;

export interface WrittenText {
  readonly text: string;
  readonly place: AuthoredQuestion["node"]["entries"][number]["value"];
  /** Leads from the condition to the text. */
  readonly at: JsonPath;
}

/** The texts of the value of a condition, with their places. */
export function textsOf({ node }: AuthoredQuestion): readonly WrittenText[] {
  const value = node.entries.find(({ key }) => key === "value")?.value;
  const items = value?.kind === "list" ? value.items : [value];
  return items.flatMap((item, place) => {
    if (item?.kind !== "scalar" || typeof item.value !== "string") return [];
    return [{ text: item.value, place: item, at: value?.kind === "list" ? ["value", place] : ["value"] }];
  });
}

/** The condition with another text in place of one of its own. */
export function withText({ written }: AuthoredQuestion, { at }: WrittenText, text: string): JsonObject {
  return withValueAt(written, at, () => text) as JsonObject;
}
