import { IDENTIFIER_EXPECTATION, isIdentifier } from "@svc/contract/identifier";
import type { DiagnosticCode } from "../diagnostic-codes.ts";
import { globFault } from "../globs/glob.ts";
import type { Reporter } from "../read/reporter.ts";
import {
  describeNode,
  type ListNode,
  type MapNode,
  quoteShort,
  type SourceNode,
} from "../read/source-node.ts";
import { didYouMean } from "@svc/contract/nearest-name";

/** Every function here returns null exactly when it has reported an error. */

/** The members of a mapping by key. */
export type Members = ReadonlyMap<string, SourceNode>;

/**
 * A mapping with at least one key, all of them known. Unknown keys are reported; the known ones come back.
 */
export function expectMembers(
  node: SourceNode,
  known: readonly string[],
  reporter: Reporter,
): Members | null {
  const map = expectMap(node, `a mapping with some of the keys ${known.join(", ")}`, reporter);
  if (map === null) return null;
  const members = new Map<string, SourceNode>();
  for (const { key, keyOffset, value } of map.entries) {
    if (known.includes(key)) {
      members.set(key, value);
      continue;
    }
    reporter.report(
      "policy/unknown-key",
      { pointer: value.pointer, offset: keyOffset },
      {
        message: `the key ${quoteShort(key)} is not known here`,
        expected: `one of ${known.join(", ")}`,
        found: quoteShort(key),
        fix: didYouMean(key, known) ?? "remove the key",
      },
    );
  }
  return members;
}

export function expectMap(node: SourceNode, expected: string, reporter: Reporter): MapNode | null {
  if (node.kind !== "map") return wrongType(node, expected, reporter);
  return node.isEmpty ? empty(node, expected, reporter) : node;
}

export function expectList(node: SourceNode, expected: string, reporter: Reporter): ListNode | null {
  return node.kind === "list" ? node : wrongType(node, expected, reporter);
}

/** A list with 1 to `most` members. */
export function expectFilledList(
  node: SourceNode,
  { expected, most }: { readonly expected: string; readonly most: number },
  reporter: Reporter,
): ListNode | null {
  const list = expectList(node, expected, reporter);
  if (list === null) return null;
  if (list.items.length === 0) return empty(list, expected, reporter);
  return expectAtMost(list, most, reporter) ? list : null;
}

export function expectAtMost(list: ListNode, most: number, reporter: Reporter): boolean {
  if (list.items.length <= most) return true;
  reporter.report("policy/too-many", list, {
    message: "the list is too long",
    expected: `at most ${String(most)} entries`,
    found: `${String(list.items.length)} entries`,
    fix: "use globs to say more with fewer entries, or split the policy",
  });
  return false;
}

export function expectText(node: SourceNode, expected: string, reporter: Reporter): string | null {
  return node.kind === "scalar" && typeof node.value === "string"
    ? node.value
    : wrongType(node, expected, reporter);
}

export function expectBoolean(node: SourceNode, reporter: Reporter): boolean | null {
  if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
  return wrongType(node, "true or false, without quotes", reporter);
}

export function expectIdentifier(node: SourceNode, reporter: Reporter): string | null {
  const text = expectText(node, "an identifier", reporter);
  if (text === null || isIdentifier(text)) return text;
  return refuse("policy/invalid-identifier", node, reporter, {
    message: "this is not an identifier",
    expected: IDENTIFIER_EXPECTATION,
    fix: "use letters, digits and the characters named",
  });
}

export function expectGlob(node: SourceNode, reporter: Reporter): string | null {
  const text = expectText(node, "a tool name or glob", reporter);
  const fault = text === null ? null : globFault(text);
  if (fault === null) return text;
  return refuse("policy/invalid-glob", node, reporter, {
    message: `this glob can match no tool: ${fault}`,
    expected: `${IDENTIFIER_EXPECTATION}; * stands for any run of characters and nothing else is special`,
    fix: "write the tool's name, with * where anything may stand",
  });
}

/** One of a closed list of names. */
export function expectName<Name extends string>(
  node: SourceNode,
  names: readonly Name[],
  reporter: Reporter,
): Name | null {
  const text = expectText(node, `one of ${names.join(", ")}`, reporter);
  if (text === null) return null;
  const known = names.find((name) => name === text);
  if (known !== undefined) return known;
  return refuse("policy/unknown-name", node, reporter, {
    message: `${quoteShort(text)} is not known here`,
    expected: `one of ${names.join(", ")}`,
    fix: didYouMean(text, names) ?? `write one of ${names.join(", ")}`,
  });
}

export function wrongType(node: SourceNode, expected: string, reporter: Reporter): null {
  const scalar = node.kind === "scalar" && node.value !== null && node.value !== "";
  return refuse("policy/wrong-type", node, reporter, {
    message: "the value has the wrong type",
    expected,
    fix: scalar
      ? `write ${expected}; quotes make a text, no quotes a number or boolean`
      : `write ${expected}`,
  });
}

/** Reports an error about a value, naming the value as found. */
export function refuse(
  code: DiagnosticCode,
  node: SourceNode,
  reporter: Reporter,
  finding: { readonly message: string; readonly expected: string; readonly fix: string },
): null {
  reporter.report(code, node, { ...finding, found: describeNode(node) });
  return null;
}

export function missingKey(node: SourceNode, key: string, example: string, reporter: Reporter): null {
  reporter.report("policy/missing-key", node, {
    message: `the key ${key} is missing`,
    expected: `the key ${key}`,
    found: "none",
    fix: `add ${example}`,
  });
  return null;
}

function empty(node: SourceNode, expected: string, reporter: Reporter): null {
  reporter.report("policy/empty", node, {
    message: "nothing stands here",
    expected,
    found: node.kind === "map" ? "an empty mapping" : "an empty list",
    fix: "fill it, or remove the key",
  });
  return null;
}
