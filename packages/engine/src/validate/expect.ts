import { globFault } from "@svc/contract/glob-pattern";
import { asIdentifier, IDENTIFIER_EXPECTATION, isIdentifier } from "@svc/contract/identifier";
import { NAME_EXPECTATION, nameFault } from "@svc/contract/name";
import type { DiagnosticCode } from "../diagnostic-codes.ts";
import type { Reporter } from "../read/reporter.ts";
import {
  describeNode,
  type ListNode,
  type MapNode,
  quoteShort,
  type SourceNode,
} from "../read/source-node.ts";
import { fixName, type NameList } from "./explain-name.ts";
import { fixUnknownKey, meantKey, reservedKey } from "./explain-unknown-key.ts";
import { fixGlob } from "./fix-glob.ts";
import { fixType } from "./fix-type.ts";
import { keysOf, PLACES, type PlaceName } from "./places.ts";

/** Every function here returns null exactly when it has reported an error. */

/** The members of a mapping by key. */
export type Members = ReadonlyMap<string, SourceNode>;

/**
 * A mapping with at least one key, all of them known at its place. Unknown keys are reported; the known
 * ones come back.
 */
export function expectMembers(node: SourceNode, place: PlaceName, reporter: Reporter): Members | null {
  const known = keysOf(place);
  const map = expectMap(node, `a mapping with some of the keys ${known.join(", ")}`, reporter);
  if (map === null) return null;
  const members = new Map<string, SourceNode>();
  for (const entry of map.entries) {
    const { key, keyOffset, value } = entry;
    if (known.includes(key)) {
      members.set(key, value);
      continue;
    }
    reporter.report(
      "policy/unknown-key",
      { pointer: value.pointer, offset: keyOffset },
      {
        message:
          reservedKey(key, place) === null
            ? `unknown key ${quoteShort(key)} in ${PLACES[place].called}`
            : `the key ${quoteShort(key)} of ${PLACES[place].called} is not supported yet`,
        expected: `one of ${known.join(", ")}`,
        found: quoteShort(key),
        fix: fixUnknownKey(entry, place, map),
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
  { expected, most, fix }: { readonly expected: string; readonly most: number; readonly fix?: string },
  reporter: Reporter,
): ListNode | null {
  const list = expectList(node, expected, reporter);
  if (list === null) return null;
  if (list.items.length === 0) return empty(list, expected, reporter);
  return expectAtMost(list, most, reporter, fix) ? list : null;
}

/** How to shorten a list whose entries may be globs. */
export const FEWER_BY_GLOBS = "use globs to say the same with fewer entries";

export function expectAtMost(
  list: ListNode,
  most: number,
  reporter: Reporter,
  fix = "remove entries, or put some of them into another rule",
): boolean {
  if (list.items.length <= most) return true;
  reporter.report("policy/too-many", list, {
    message: "the list is too long",
    expected: `at most ${String(most)} entries`,
    found: `${String(list.items.length)} entries`,
    fix,
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
  const suggestion = asIdentifier(text);
  return refuse("policy/invalid-identifier", node, reporter, {
    message: `${quoteShort(text)} is not an identifier`,
    expected: IDENTIFIER_EXPECTATION,
    fix: suggestion === null ? "use letters, digits and the characters named" : `write ${suggestion}`,
  });
}

/** The name of an agent. */
export function expectAgentName(node: SourceNode, reporter: Reporter): string | null {
  const text = expectText(node, "a name", reporter);
  const fault = text === null ? null : nameFault(text);
  if (text === null || fault === null) return text;
  return refuse("policy/invalid-identifier", node, reporter, {
    message: `${quoteShort(text)} is not a name`,
    expected: NAME_EXPECTATION,
    fix: fault,
  });
}

export function expectGlob(node: SourceNode, reporter: Reporter): string | null {
  const text = expectText(node, "a tool name or glob", reporter);
  const fault = text === null ? null : globFault(text);
  if (text === null || fault === null) return text;
  return refuse("policy/invalid-glob", node, reporter, {
    message: `this glob can match no tool: ${fault}`,
    expected: `${NAME_EXPECTATION}; but * stands for any run of characters and nothing else is special`,
    fix: fixGlob(text),
  });
}

/** One of a closed list of names. */
export function expectName<Name extends string>(
  node: SourceNode,
  list: NameList<Name>,
  reporter: Reporter,
): Name | null {
  const expected = `one of ${list.names.join(", ")}`;
  const text = expectText(node, expected, reporter);
  if (text === null) return null;
  const known = list.names.find((name) => name === text);
  if (known !== undefined) return known;
  return refuse("policy/unknown-name", node, reporter, {
    message: `unknown ${list.kind} ${quoteShort(text)}`,
    expected,
    fix: fixName(list, text),
  });
}

export function wrongType(node: SourceNode, expected: string, reporter: Reporter): null {
  return refuse("policy/wrong-type", node, reporter, {
    message: "the value has the wrong type",
    expected,
    fix: fixType(node, expected),
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

/** What a key that is not there should hold. */
export interface MissingKey {
  readonly place: PlaceName;
  readonly key: string;
  readonly expected: string;
  readonly fix: string;
}

/** Says nothing where an unknown key of the same mapping was reported that is surely meant as this one. */
export function missingKey(node: SourceNode, missing: MissingKey, reporter: Reporter): null {
  const { place, key, expected, fix } = missing;
  const keys = node.kind === "map" ? node.entries.map((entry) => entry.key) : [];
  const known = keysOf(place);
  if (keys.some((found) => !known.includes(found) && meantKey(found, place) === key)) return null;
  const found = keys.length === 0 ? describeNode(node) : `only ${keys.join(", ")}`;
  reporter.report("policy/missing-key", node, {
    message: `the key ${key} is missing`,
    expected,
    found: found.length <= MOST_FOUND ? found : `${found.slice(0, MOST_FOUND)}...`,
    fix,
  });
  return null;
}

/** Most characters of the keys that a finding lists as found. */
const MOST_FOUND = 100;

function empty(node: SourceNode, expected: string, reporter: Reporter): null {
  const kind = node.kind === "map" ? "mapping" : "list";
  reporter.report("policy/empty", node, {
    message: `this ${kind} is empty`,
    expected,
    found: `an empty ${kind}`,
    fix: fixEmpty(node, expected),
  });
  return null;
}

/** An empty section restricts nothing and can go; anything else was to say something. */
function fixEmpty(node: SourceNode, expected: string): string {
  const isSection = /^\/(?:session|cost|tools)$/.test(node.pointer);
  if (isSection) return "remove it, or write what it should limit";
  if (node.pointer.endsWith("/match"))
    return 'write match: {tool: "*"} for every tool, or name a tool or a condition';
  return `write ${expected} with at least one entry`;
}
