import { MAX_JSON_DEPTH, MAX_YAML_ALIASES } from "@svc/contract/limits";
import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Pair } from "yaml";
import type { Reporter } from "./reporter.ts";
import { type MapEntry, pointerTo, quoteShort, type SourceNode } from "./source-node.ts";

/** Most values in one document after aliases, as count: 50 aliases of one large list must stay cheap. */
const MAX_NODES = 200_000;

/** Keys that reach an object's prototype in careless consumers, and the merge key. */
const REFUSED_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype", "<<"]);

/**
 * Turns the reader's nodes into the positioned tree. @returns null when the document was refused as a
 * whole.
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
    for (const { key: keyNode, value } of pairs) {
      const place = { pointer, offset: offsetOf(keyNode) };
      const key = isScalar(keyNode) && typeof keyNode.value === "string" ? keyNode.value : null;
      const earlier = key === null ? undefined : entries.get(key);
      if (key === null || REFUSED_KEYS.has(key)) {
        this.#reporter.report("policy/invalid-key", place, {
          message: key === null ? "a key must be text" : `the key ${key} is not accepted`,
          expected: "a plain text key",
          found: key === null ? "another kind of value" : quoteShort(key),
          fix: key === "<<" ? "write the merged keys out" : "quote the key, or remove it",
        });
      } else if (earlier !== undefined) {
        this.#reporter.report(
          "policy/duplicate-key",
          { ...place, pointer: pointerTo(pointer, key) },
          {
            message: `the key ${quoteShort(key)} stands here a second time`,
            expected: "every key once",
            found: "the key twice",
            fix: "keep one of the two",
            related: { pointer, offset: earlier.keyOffset },
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
      found: "none",
      fix: "define the anchor first, or write the value out; a text that begins with * needs quotes",
    });
    // Read on as if the quotes stood there, so that one slip is one finding.
    const text = `*${node.source}`;
    return { kind: "scalar", value: text, text, pointer: nothing.pointer, offset: nothing.offset };
  }

  #refuseTag(node: unknown, place: SourceNode): void {
    const tag = isScalar(node) || isMap(node) || isSeq(node) ? node.tag : undefined;
    if (tag === undefined) return;
    this.#reporter.report("policy/tag", place, {
      message: "tags are not accepted",
      expected: "a plain value",
      found: `the tag ${quoteShort(tag)}`,
      fix: "remove the tag; quote the value to make it text",
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
      fix: "write the document out flat, without aliases that repeat large parts",
    });
    return place;
  }
}

function offsetOf(node: unknown): number {
  const range = isAlias(node) || isScalar(node) || isMap(node) || isSeq(node) ? node.range : null;
  return range?.[0] ?? 0;
}

function scalarValue(value: unknown): string | number | boolean | null {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}
