import { Document, isCollection, isMap, isNode, isPair, isSeq, type Node, visit } from "yaml";

/** Two blanks for each level. */
const INDENT = 2;

/** Rendered without breaking long texts, which would be hard to search for. */
export const PLAIN = { indent: INDENT, lineWidth: 0, minContentWidth: 0 } as const;

/** Gives each list and mapping in brackets that has comments or is wider than `width` lines of its own. */
export function unfoldCollections(document: Document, width: number): void {
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
