/**
 * One value of a policy document with its place. `offset` counts UTF-16 units from the start of the source.
 */
export type SourceNode = ScalarNode | ListNode | MapNode;

interface NodePlace {
  /** RFC 6901 pointer. */
  readonly pointer: string;
  readonly offset: number;
  /** The lists of the policy that the value comes from, or that a list takes its values from. */
  readonly lists?: readonly string[];
}

export interface ScalarNode extends NodePlace {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  /** The scalar as written; numbers are judged by it, so that no digit is lost unnoticed. */
  readonly text: string;
}

export interface ListNode extends NodePlace {
  readonly kind: "list";
  readonly items: readonly SourceNode[];
}

export interface MapNode extends NodePlace {
  readonly kind: "map";
  /** In document order; keys are unique. Refused keys are reported and left out. */
  readonly entries: readonly MapEntry[];
  /** Whether the document writes no key at all. */
  readonly isEmpty: boolean;
}

export interface MapEntry {
  readonly key: string;
  readonly keyOffset: number;
  readonly value: SourceNode;
}

/** What a value is, as told to people. */
export function describeNode(node: SourceNode): string {
  switch (node.kind) {
    case "list":
      return "a list";
    case "map":
      return "a mapping";
    case "scalar":
      if (node.value === null) return "nothing";
      if (typeof node.value === "string") return `the text ${quoteShort(node.value)}`;
      return `the ${typeof node.value} ${quoteShort(node.text).slice(1, -1)}`;
  }
}

/** Longest piece of the source, in UTF-16 units, that a message repeats. */
const QUOTE_LENGTH = 60;

/** Quotes a piece of the source for a message: escaped, and cut where it grows long. */
export function quoteShort(text: string): string {
  return JSON.stringify(text.length <= QUOTE_LENGTH ? text : `${text.slice(0, QUOTE_LENGTH)}...`);
}

/** Appends one member to an RFC 6901 pointer. */
export function pointerTo(pointer: string, member: string | number): string {
  return `${pointer}/${String(member).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
