import { didYouMean } from "@svc/text/nearest-name";
import {
  CALL_FIELDS,
  type ElementPlace,
  type Field,
  type Quantifier,
  type Subject,
  USAGE_FIELDS,
} from "../condition.ts";
import { type FieldPattern, isFieldPath, parseFieldPattern } from "../evaluate/field-path.ts";
import type { Reporter } from "../read/reporter.ts";
import { quoteShort, type SourceNode } from "../read/source-node.ts";
import { expectFilledList, expectText, refuse } from "./expect.ts";
import { PATH_EXPECTATION } from "./expect-field.ts";
import { describePathFault, NAME_EACH_FIELD } from "./path-fault.ts";

export const TIME = "time";
const OTHER_FIELDS = [...CALL_FIELDS, ...USAGE_FIELDS, TIME];
const FIELD_EXPECTATION = `${PATH_EXPECTATION}, args for all arguments, or ${OTHER_FIELDS.join(", ")}`;

/** Most fields of one condition, as count. */
export const MAX_FIELDS = 32;

export const ALL_ARGUMENTS = "args";

/** One field of a call. */
export function expectField(node: SourceNode, reporter: Reporter): Field | null {
  const text = expectText(node, FIELD_EXPECTATION, reporter);
  if (text === null) return null;
  if (text === ALL_ARGUMENTS) return { kind: "anywhere" };
  if (text === TIME) return { kind: "time" };
  const call = CALL_FIELDS.find((name) => name === text);
  if (call !== undefined) return { kind: "call", name: call };
  const usage = USAGE_FIELDS.find((name) => name === text);
  if (usage !== undefined) return { kind: "usage", name: usage };
  const pattern = parseFieldPattern(text);
  if (pattern === null) return unknownField(text, node, reporter);
  if (isFieldPath(pattern)) return { kind: "args", path: pattern };
  return refuse("policy/invalid-field", node, reporter, {
    message: `${quoteShort(text)} has a wildcard, and an operator judges one field`,
    expected: FIELD_EXPECTATION,
    fix: hasAnyDepth(pattern)
      ? `${NAME_EACH_FIELD}; or write field: args, which reads every text at any depth`
      : "name each field, such as args.items.0; or write any: {operator: ...} if one element is enough, or " +
        "every: {operator: ...} for all of them",
  });
}

/** The elements that `every`, `any` or `count` asks about. */
export function expectElements(
  node: SourceNode,
  { key, quantifier }: { readonly key: "field" | "fields"; readonly quantifier: Quantifier },
  reporter: Reporter,
): Subject | null {
  const items =
    key === "field"
      ? [node]
      : expectFilledList(node, { expected: "a list of arguments", most: MAX_FIELDS }, reporter)?.items;
  if (items === undefined) return null;
  const places = items.flatMap((item) => expectPlace(item, reporter) ?? []);
  return places.length < items.length ? null : { kind: "elements", quantifier, places };
}

function expectPlace(node: SourceNode, reporter: Reporter): ElementPlace | null {
  const name = expectText(node, "an argument that holds a list", reporter);
  if (name === null) return null;
  const pattern = parseFieldPattern(name);
  if (pattern === null) {
    return refuse("policy/invalid-field", node, reporter, {
      ...describePathFault(name, true),
      expected: `${PATH_EXPECTATION}; * is every element of a list`,
    });
  }
  if (hasAnyDepth(pattern)) {
    return refuse("policy/invalid-field", node, reporter, {
      message: `${quoteShort(name)} has **, and a condition must know where its elements are`,
      expected: "a path in which each * is every element of one list",
      fix: "name each level, as in args.items.*.price; or write field: args, which reads every text",
    });
  }
  if (!isFieldPath(pattern)) return { name, pattern, isList: false };
  return { name, pattern: { text: name, segments: [...pattern.segments, "*"] }, isList: true };
}

function hasAnyDepth({ segments }: FieldPattern): boolean {
  return segments.includes("**");
}

function unknownField(text: string, node: SourceNode, reporter: Reporter): null {
  const { message, fix } = describePathFault(text, false);
  const known = OTHER_FIELDS.find((name) => name.startsWith(`${text}_`));
  const nearest = known === undefined ? didYouMean(text, OTHER_FIELDS) : `did you mean ${known}?`;
  const session = text.startsWith("session.") ? `write session_id, ${USAGE_FIELDS.join(" or ")}` : null;
  return refuse("policy/invalid-field", node, reporter, {
    message: text.startsWith("args") ? message : `${quoteShort(text)} is not a field of a call`,
    expected: FIELD_EXPECTATION,
    fix: nearest ?? session ?? fix,
  });
}
