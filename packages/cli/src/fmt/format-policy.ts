import { PLACES } from "@svc/engine/document-places";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonValue } from "@svc/text/json-value";
import {
  Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  parseAllDocuments,
  visit,
  type YAMLMap,
} from "yaml";
import { CommandFailure } from "../frame/exit-code.ts";
import type { PolicyFile } from "../policy-files/read-policy-file.ts";

/** Longest line in characters before a list or mapping in brackets is broken into lines. */
const WIDTH = 110;

/**
 * Most times that a text is formatted until it stays. A comment at the end of the file can move once: what it
 * belongs to shows only when the lines above it are in their form.
 */
const MAX_ROUNDS = 4;

/**
 * The canonical form of a policy, which formatting leaves as it is. Its value and its comments are those of
 * the source: what does not keep them is a defect, and is thrown.
 * @throws CommandFailure `failed` when the source is not one plain document
 */
export function formatPolicy(file: PolicyFile): string {
  const text = formatLines({ ...file, source: file.source.replaceAll("\r\n", "\n") });
  if (!endsInCrlf(file.source)) return text;
  const whole = text.replaceAll("\n", "\r\n");
  requireSame(file.name, valueOf(parse(file.name, file.source)), valueOf(parse(file.name, whole)));
  return whole;
}

/** A file whose lines all end so keeps its ends. One with both kinds gets the ends of the canonical form. */
function endsInCrlf(source: string): boolean {
  return source.includes("\r\n") && !/(?<!\r)\n/.test(source);
}

function formatLines(file: PolicyFile): string {
  let { source } = file;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const text = formatOnce({ ...file, source });
    if (text === source) return text;
    source = text;
  }
  throw new Error(`${file.name}: the form does not become stable; nothing was written`);
}

function formatOnce({ name, source, mediaType }: PolicyFile): string {
  const document = parse(name, source);
  const before = valueOf(document);
  orderKeys(document);
  unfoldCollections(document, WIDTH);
  const text =
    mediaType === "application/json"
      ? `${JSON.stringify(document.toJS(), null, 2)}\n`
      : document.toString(PLAIN);
  requireSame(name, before, valueOf(parse(name, text)));
  requireSame(name, commentsOf(source), commentsOf(text));
  return text;
}

function parse(name: string, source: string): Document {
  const documents = parseAllDocuments(source, { schema: "core", merge: false, logLevel: "silent" });
  const [document, second] = Array.isArray(documents) ? documents : [];
  if (document === undefined || second !== undefined)
    throw new CommandFailure("failed", `${name}: expected one document. See svc-cli validate`);
  const [fault] = document.errors;
  if (fault !== undefined)
    throw new CommandFailure("failed", `${name}: ${fault.message.split("\n")[0] ?? ""} See svc-cli validate`);
  return document;
}

/** An alias is not expanded: policies have none, and one could stand for a gigabyte. */
function valueOf(document: Document): string {
  return canonicalJson(document.toJS({ maxAliasCount: 0 }) as JsonValue);
}

/** The comments in a text, in an order of their own, without the blanks around them. */
function commentsOf(text: string): string {
  const comments = [...new Lexer().lex(text)].filter((token) => token.startsWith("#"));
  return JSON.stringify(comments.map((comment) => comment.trim()).toSorted());
}

function requireSame(name: string, before: string, after: string): void {
  if (before !== after) throw new Error(`${name}: the formatted policy is not the same; nothing was written`);
}

type Place = keyof typeof PLACES;

/** The place that the value of a key is, by the place that the key stands in. */
const INNER: Readonly<Record<string, Readonly<Record<string, Place>>>> = {
  policy: { session: "session", cost: "cost", tools: "tools", rules: "rule" },
  rule: { match: "match", approval: "approval" },
  match: { condition: "condition", all: "condition", any: "condition", not: "condition" },
  condition: { all: "condition", any: "condition", not: "condition" },
};

/** A condition may be a group, or ask about elements: `every` and `any` then hold a question. */
const CONDITION_KEYS = [...Object.keys(PLACES.condition.keys), ...Object.keys(PLACES.group.keys)];

/** Puts the keys of a policy into the order of its documentation. Comments go with the key below them. */
function orderKeys(document: Document): void {
  const { contents } = document;
  if (isMap(contents)) keepAtTop(document, contents);
  orderNode(contents, "policy");
  if (isMap(contents)) clearSpace(contents.items[0]?.key);
}

/** Editors look for the line that names the schema at the top of a file. */
function keepAtTop(document: Document, { items }: YAMLMap): void {
  const key = items[0]?.key;
  if (!isNode(key) || typeof key.commentBefore !== "string") return;
  const lines = key.commentBefore.split("\n");
  const end = lines.findLastIndex((line) => line.includes("yaml-language-server:")) + 1;
  if (end === 0) return;
  const above = lines.slice(0, end).join("\n");
  document.commentBefore = joined(document.commentBefore, above);
  key.commentBefore = lines.slice(end).join("\n") || null;
}

function orderNode(node: unknown, place: Place): void {
  if (isSeq(node))
    for (const item of node.items) {
      orderNode(item, place);
      if (isMap(item)) giveToItem(item);
    }
  if (!isMap(node)) return;
  orderMap(node, place === "condition" ? CONDITION_KEYS : Object.keys(PLACES[place].keys));
  for (const { key, value } of node.items) {
    const inner = INNER[place]?.[nameOf(key)];
    if (inner !== undefined) orderNode(value, inner);
  }
}

function orderMap(map: YAMLMap, order: readonly string[]): void {
  const rank = ({ key }: Pair): number => {
    const at = order.indexOf(nameOf(key));
    return at === -1 ? order.length : at;
  };
  map.items = map.items.toSorted((one, other) => rank(one) - rank(other));
}

/** The comment above the first key of an item stands above its dash, and not behind it. */
function giveToItem(item: YAMLMap): void {
  const key = item.items[0]?.key;
  if (item.flow === true || !isNode(key) || typeof key.commentBefore !== "string") return;
  item.commentBefore = joined(item.commentBefore, key.commentBefore);
  key.commentBefore = null;
}

function joined(above: string | null | undefined, below: string): string {
  return typeof above === "string" ? `${above}\n${below}` : below;
}

/** A file begins without an empty line. */
function clearSpace(key: unknown): void {
  if (isNode(key)) key.spaceBefore = false;
}

function nameOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key);
}

/** Two blanks for each level. */
const INDENT = 2;

/** Rendered without breaking long texts, which would be hard to search for. */
const PLAIN = { indent: INDENT, lineWidth: 0, minContentWidth: 0 } as const;

/** Gives each list and mapping in brackets that has comments or is wider than `width` lines of its own. */
function unfoldCollections(document: Document, width: number): void {
  unfold(document.contents, 0, width);
}

/** @param column where the node begins, counting from 0 */
function unfold(node: unknown, column: number, width: number): void {
  if (!isCollection(node)) return;
  if (node.flow === true && node.items.length > 0 && !fits(node, width - column)) node.flow = false;
  // What stands in brackets cannot hold lines of its own.
  if (node.flow === true) return;
  if (isSeq(node)) for (const item of node.items) unfold(item, column + INDENT, width);
  if (isMap(node))
    for (const { key, value } of node.items) {
      const begins = isCollection(value) && value.flow === true ? String(key).length + ": ".length : INDENT;
      unfold(value, column + begins, width);
    }
}

function fits(node: Node, columns: number): boolean {
  if (hasInnerComment(node)) return false;
  const rendered = new Document(null);
  rendered.contents = node as typeof rendered.contents;
  const lines = rendered.toString(PLAIN).trimEnd();
  return !lines.includes("\n") && lines.length <= columns;
}

/** A comment after the node itself stands behind the bracket. */
function hasInnerComment(node: Node): boolean {
  let found = false;
  visit(node, (_, inner) => {
    if (inner === node || isPair(inner) || !isNode(inner)) return undefined;
    found ||= Boolean(inner.comment) || Boolean(inner.commentBefore);
    return found ? visit.BREAK : undefined;
  });
  return found;
}
