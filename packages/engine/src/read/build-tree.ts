import { MAX_YAML_ALIASES } from "@svc/contract/limits";
import { MAX_JSON_DEPTH } from "@svc/text/limits";
import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Pair } from "yaml";
import type { Finding, Reporter } from "./reporter.ts";
import { type MapEntry, pointerTo, quoteShort, type SourceNode } from "./source-node.ts";

/** Most values in one document after aliases, as count: 50 aliases of one large list must stay cheap. */
const MAX_NODES = 200_000;

/** Keys that reach an object's prototype in careless consumers, and the merge key. */
const REFUSED_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype", "<<"]);

/**
 * Turns the reader's nodes into the positioned tree. @returns null when the document was refused as a whole.
 */
export function buildTree(document: Document.Parsed, reporter: Reporter): SourceNode | null {
  const builder = new TreeBuilder(document, reporter);
  const tree = builder.build(document.contents, "", 1);
  return builder.gaveUp ? null : tree;
}

class TreeBuilder {
  gaveUp = false;
  readonly #document: Document.Parsed;
  readonly #reporter: Reporter;
  #aliases = 0;
  #nodes = 0;

  constructor(document: Document.Parsed, reporter: Reporter) {
    this.#document = document;
    this.#reporter = reporter;
  }

  build(node: unknown, pointer: string, depth: number, aliasOffset?: number): SourceNode {
    const offset = aliasOffset ?? offsetOf(node);
    const nothing: SourceNode = { kind: "scalar", value: null, text: "", pointer, offset };
    this.#nodes += 1;
    if (this.gaveUp) return nothing;
    if (depth > MAX_JSON_DEPTH)
      return this.#giveUp("policy/too-deep", nothing, `${String(MAX_JSON_DEPTH)} levels`);
    if (this.#nodes > MAX_NODES)
      return this.#giveUp("policy/too-large", nothing, `${String(MAX_NODES)} values`);
    this.#refuseTag(node, nothing);
    if (isAlias(node)) return this.#followAlias(node, nothing, depth);
    if (isMap(node)) {
      const entries = this.#entries(node.items, pointer, depth);
      return { kind: "map", entries, isEmpty: node.items.length === 0, pointer, offset };
    }
    if (isSeq(node)) {
      const items = node.items.map((item, index) => this.build(item, pointerTo(pointer, index), depth + 1));
      return { kind: "list", items, pointer, offset };
    }
    return isScalar(node) ? { ...nothing, value: scalarValue(node.value), text: node.source ?? "" } : nothing;
  }

  #entries(pairs: readonly Pair[], pointer: string, depth: number): MapEntry[] {
    const entries = new Map<string, MapEntry>();
    let previous: Pair | null = null;
    for (const pair of pairs) {
      const { key: keyNode, value } = pair;
      const place = { pointer, offset: offsetOf(keyNode) };
      const key = keyText(keyNode);
      const earlier = key === null ? undefined : entries.get(key);
      if (key === null || REFUSED_KEYS.has(key)) {
        this.#reporter.report("policy/invalid-key", place, invalidKey(key, keyNode, previous));
      } else if (earlier !== undefined) {
        const related = { pointer, offset: earlier.keyOffset };
        this.#reporter.report(
          "policy/duplicate-key",
          { ...place, pointer: pointerTo(pointer, key) },
          {
            message: `duplicate key ${quoteShort(key)} (first on ${this.#reporter.lineOf(related)})`,
            expected: "every key once",
            found: "the same key twice",
            fix: isCollection(value)
              ? "put what both of them hold under one key"
              : "remove the one that you do not mean",
            related,
          },
        );
      } else {
        const child = this.build(value, pointerTo(pointer, key), depth + 1);
        // `key:` without a value has no place of its own.
        entries.set(key, {
          key,
          keyOffset: place.offset,
          value: value === null ? { ...child, offset: place.offset } : child,
        });
      }
      previous = pair;
    }
    return [...entries.values()];
  }

  #followAlias(node: Alias, nothing: SourceNode, depth: number): SourceNode {
    this.#aliases += 1;
    if (this.#aliases > MAX_YAML_ALIASES) {
      return this.#giveUp("policy/alias", nothing, `${String(MAX_YAML_ALIASES)} expanded aliases`);
    }
    const target = node.resolve(this.#document);
    // A cyclic alias ends at the depth limit or the alias limit, whichever comes first.
    if (target !== undefined) return this.build(target, nothing.pointer, depth + 1, nothing.offset);
    this.#reporter.report("policy/alias", nothing, {
      message: "the alias names no anchor above it",
      expected: "an anchor of that name earlier in the document",
      found: `no anchor ${quoteShort(node.source)}`,
      fix: `put a glob in quotes: ${JSON.stringify(`*${node.source}`)}; to repeat a value, write it out`,
    });
    // Read on as if the quotes stood there, so that one slip is one finding.
    const text = `*${node.source}`;
    return { kind: "scalar", value: text, text, pointer: nothing.pointer, offset: nothing.offset };
  }

  #refuseTag(node: unknown, place: SourceNode): void {
    const tag = isScalar(node) || isMap(node) || isSeq(node) ? node.tag : undefined;
    if (tag === undefined) return;
    this.#reporter.report("policy/tag", place, {
      message: "tags are not accepted: a plain value cannot begin with !",
      expected: "a plain value, or one in quotes",
      found: `the tag ${quoteShort(tag)}`,
      fix: TAG_FIXES.get(tag) ?? "remove the tag; to make the value a text, put it in quotes",
    });
  }

  #giveUp(
    code: "policy/too-deep" | "policy/too-large" | "policy/alias",
    place: SourceNode,
    limit: string,
  ): SourceNode {
    this.gaveUp = true;
    this.#reporter.report(code, place, {
      message: "the document expands too far",
      expected: `at most ${limit}`,
      found: "more",
      fix:
        code === "policy/too-deep"
          ? "remove brackets until a few levels are left; an alias must not hold itself"
          : "write the values out in place of the aliases",
    });
    return place;
  }
}

/** YAML reads `null:` as a key without a text; a condition has a key of that name. */
function keyText(node: unknown): string | null {
  if (!isScalar(node)) return null;
  if (typeof node.value === "string") return node.value;
  return node.value === null && node.source === "null" ? node.source : null;
}

/** Operators that YAML takes for tags. */
const TAG_FIXES: ReadonlyMap<string, string> = new Map([["!=", 'put the operator in quotes: "!="']]);

function invalidKey(key: string | null, node: unknown, previous: Pair | null): Finding {
  const expected = "a plain text key";
  if (key === "<<") {
    return {
      message: "merge keys are not accepted",
      expected,
      found: quoteShort(key),
      fix: "write the keys of the merged mapping out, in place of this one",
    };
  }
  if (key !== null) {
    const message = `the key ${key} is reserved: careless readers take it for something else`;
    return { message, expected, found: quoteShort(key), fix: "choose another name" };
  }
  const written = isScalar(node) ? (node.source ?? "") : "";
  const whole = isScalar(previous?.value) ? (previous.value.source ?? "") : "";
  if (/^[0-9]+$/.test(written) && /^-?[0-9]+$/.test(whole)) {
    return {
      message: "a comma separates entries, so the number ends before it",
      expected: "a number with a point",
      found: `${whole},${written}`,
      fix: `write a point instead of the comma: ${whole}.${written}`,
    };
  }
  return {
    message: "a key must be a text",
    expected,
    found: written === "" ? "another kind of value" : written,
    fix: written === "" ? "write a plain name before the colon" : `put the key in quotes: "${written}"`,
  };
}

function isCollection(value: unknown): boolean {
  return isMap(value) || isSeq(value);
}

function offsetOf(node: unknown): number {
  const range = isAlias(node) || isScalar(node) || isMap(node) || isSeq(node) ? node.range : null;
  return range?.[0] ?? 0;
}

function scalarValue(value: unknown): string | number | boolean | null {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}
