import { PLACES } from "@svc/engine/document-places";
import { type Document, isMap, isNode, isScalar, isSeq, type Pair, type YAMLMap } from "yaml";

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
export function orderKeys(document: Document): void {
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
