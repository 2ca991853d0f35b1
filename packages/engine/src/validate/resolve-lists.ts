import { IDENTIFIER_EXPECTATION, isIdentifier } from "@svc/contract/identifier";
import type { JsonObject } from "@svc/text/json-value";
import type { Reporter } from "../read/reporter.ts";
import { type MapEntry, quoteShort, type ScalarNode, type SourceNode } from "../read/source-node.ts";
import { textDefinition } from "./definitions.ts";
import { expectAtMost, expectFilledList, expectMap, expectName, refuse, wrongType } from "./expect.ts";
import { LIST_VALUE_SCHEMAS, MAX_VALUES } from "./expect-value.ts";
import { filledListSchema, LIST_REFERENCE } from "./json-schema.ts";

/** Most lists of one policy, as count. */
const MAX_LISTS = 100;

/** Most values that the lists of one policy put in place of their names, as count. */
const MAX_RESOLVED = 200_000;

const VALUES = "a list of texts, numbers, or true and false; {list: <name>} takes over another list";

/** Schema of the lists of a policy. */
export const LISTS_SCHEMA: JsonObject = {
  type: "object",
  propertyNames: textDefinition("identifier"),
  additionalProperties: filledListSchema({ anyOf: [...LIST_VALUE_SCHEMAS, LIST_REFERENCE] }, MAX_VALUES),
  minProperties: 1,
  maxProperties: MAX_LISTS,
};

/**
 * The document with the values of its lists in place of `{list: <name>}`, so that nothing behind this knows
 * of them. Each value remembers the name. Null exactly when it has reported an error.
 */
export function resolveLists(root: SourceNode, reporter: Reporter): SourceNode | null {
  if (root.kind !== "map") return root;
  const section = root.entries.find(({ key }) => key === "lists")?.value;
  const lists = new NamedLists(section === undefined ? [] : definitions(section, reporter), reporter);
  if (section !== undefined && lists.names.length === 0) return null;
  for (const name of lists.names) lists.valuesOf(name, null);
  const entries = root.entries.map((entry) =>
    // The members of cost are names of tools, of which one may be called list.
    entry.key === "lists" || entry.key === "cost" ? entry : lists.resolveEntry(entry),
  );
  return lists.hasFault ? null : { ...root, entries };
}

/** Empty exactly when it has reported an error. */
function definitions(section: SourceNode, reporter: Reporter): readonly MapEntry[] {
  const map = expectMap(section, "a mapping of names to lists of values", reporter);
  if (map === null) return [];
  const items = map.entries.map(({ value }) => value);
  if (!expectAtMost({ ...map, kind: "list", items }, MAX_LISTS, reporter)) return [];
  const odd = map.entries.find(({ key }) => !isIdentifier(key));
  if (odd === undefined) return map.entries;
  const { key, keyOffset: offset, value } = odd;
  const { pointer } = value;
  refuse("policy/invalid-identifier", { kind: "scalar", value: key, text: key, pointer, offset }, reporter, {
    message: `${quoteShort(key)} is not a name of a list`,
    expected: IDENTIFIER_EXPECTATION,
    fix: "write a name such as known-recipients",
  });
  return [];
}

class NamedLists {
  hasFault = false;
  readonly #nodes: ReadonlyMap<string, SourceNode>;
  readonly #reporter: Reporter;
  /** Null: a list with a fault. Absent: not read yet. */
  readonly #values = new Map<string, readonly ScalarNode[] | null>();
  readonly #open = new Set<string>();
  #resolved = 0;

  constructor(entries: readonly MapEntry[], reporter: Reporter) {
    this.#nodes = new Map(entries.map(({ key, value }) => [key, value]));
    this.#reporter = reporter;
  }

  get names(): readonly string[] {
    return [...this.#nodes.keys()];
  }

  resolveEntry(entry: MapEntry): MapEntry {
    return { ...entry, value: this.#resolve(entry.value) };
  }

  #resolve(node: SourceNode): SourceNode {
    const named = referenceIn(node);
    if (named !== null) {
      const [items, lists] = [this.#valuesAt(node, named), [named.value]];
      return { kind: "list", items, pointer: node.pointer, offset: node.offset, lists };
    }
    if (node.kind === "scalar") return node;
    if (node.kind === "list") return this.#resolveItems(node);
    // What constrain sets may be any JSON.
    const isSet = /^\/rules\/[0-9]+\/constrain\/set$/.test(node.pointer);
    return isSet ? node : { ...node, entries: node.entries.map((entry) => this.resolveEntry(entry)) };
  }

  #resolveItems(node: Extract<SourceNode, { kind: "list" }>): SourceNode {
    const lists = node.items.flatMap((item) => referenceIn(item)?.value ?? []);
    if (lists.length === 0) return { ...node, items: node.items.map((item) => this.#resolve(item)) };
    const items = node.items.flatMap((item) => {
      const named = referenceIn(item);
      return named === null ? [this.#resolve(item)] : this.#valuesAt(item, named);
    });
    return { ...node, items, lists };
  }

  /** The values of a list, at the place where it is named. */
  #valuesAt({ pointer, offset }: SourceNode, named: ReferenceNode): readonly SourceNode[] {
    const values = this.valuesOf(named.value, named);
    this.#resolved += values.length;
    if (this.#resolved <= MAX_RESOLVED) return values.map((value) => ({ ...value, pointer, offset }));
    if (!this.hasFault)
      this.#fault(named, "policy/too-large", {
        message: "the lists of the policy are used too often",
        expected: `at most ${String(MAX_RESOLVED)} values in all places together`,
        fix: "join rules that compare with the same list, or shorten the lists",
      });
    return [];
  }

  /** @param named where another list takes this one over; null: the list itself is read */
  valuesOf(name: string, named: ReferenceNode | null): readonly ScalarNode[] {
    const known = this.#values.get(name);
    if (known !== undefined) return known ?? [];
    const node = this.#nodes.get(name);
    if (node === undefined) {
      if (named !== null) this.#unknown(named);
      return [];
    }
    if (this.#open.has(name)) {
      this.#fault(named ?? node, "policy/list-cycle", {
        message: `the list ${name} holds itself: ${[...this.#open, name].join(" -> ")}`,
        expected: "lists that do not lead back to themselves",
        fix: "write the values that both need in a list of its own, and name that one",
      });
      return [];
    }
    this.#open.add(name);
    const values = this.#read(name, node);
    this.#open.delete(name);
    this.#values.set(name, values);
    return values ?? [];
  }

  #read(name: string, node: SourceNode): readonly ScalarNode[] | null {
    const list = expectFilledList(node, { expected: VALUES, most: MAX_VALUES }, this.#reporter);
    if (list === null) return this.#failed();
    const values = list.items.flatMap((item) => this.#valuesOfItem(name, item));
    if (values.length <= MAX_VALUES) return values;
    expectAtMost({ ...list, items: values }, MAX_VALUES, this.#reporter);
    return this.#failed();
  }

  #valuesOfItem(name: string, item: SourceNode): readonly ScalarNode[] {
    const named = referenceIn(item);
    if (named !== null) return this.valuesOf(named.value, named);
    if (item.kind === "scalar" && item.value !== null) return [{ ...item, lists: [name] }];
    wrongType(item, "a text, a number, true, false, or {list: <name>}", this.#reporter);
    this.#failed();
    return [];
  }

  #unknown(named: ReferenceNode): void {
    this.#failed();
    const { names } = this;
    if (names.length > 0) {
      expectName(named, { kind: "list", names, synonyms: new Map() }, this.#reporter);
      return;
    }
    this.#fault(named, "policy/unknown-name", {
      message: `unknown list ${quoteShort(named.value)}: the policy defines no list`,
      expected: "the name of a list that stands below lists",
      fix: `add lists: {${named.value}: [...]} to the policy, or write the values here`,
    });
  }

  #fault(
    place: SourceNode,
    code: "policy/unknown-name" | "policy/list-cycle" | "policy/too-large",
    finding: { readonly message: string; readonly expected: string; readonly fix: string },
  ): void {
    this.#failed();
    refuse(code, place, this.#reporter, finding);
  }

  #failed(): null {
    this.hasFault = true;
    return null;
  }
}

type ReferenceNode = ScalarNode & { readonly value: string };

/** The name in `{list: <name>}`; null for everything else. */
function referenceIn(node: SourceNode): ReferenceNode | null {
  if (node.kind !== "map" || node.entries.length !== 1) return null;
  const [entry] = node.entries;
  if (entry?.key !== "list" || entry.value.kind !== "scalar") return null;
  const { value } = entry.value;
  return typeof value === "string" ? { ...entry.value, value } : null;
}
