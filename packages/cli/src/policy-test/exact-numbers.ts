import { numberFault } from "@svc/text/strict-json-parser";
import { type Document, isPair, isScalar, isSeq, visit } from "yaml";

/** A number that a gateway refuses, or that another one would be tested in place of. */
export interface NumberFault {
  /** From the beginning of the file, with the numbers of list items from 0. */
  readonly path: readonly string[];
  readonly offset: number;
  readonly expected: string;
  /** As it is written. */
  readonly found: string;
}

/** Numbers of a document in YAML or JSON that do not mean what is written there. */
export function numberFaults(document: Document): readonly NumberFault[] {
  const faults: NumberFault[] = [];
  visit(document, {
    Scalar(_, node, above) {
      if (typeof node.value !== "number") return;
      const expected = numberFault(node.value);
      if (expected === null) return;
      const path = pathOf([...above, node]);
      faults.push({ path, offset: node.range?.[0] ?? 0, expected, found: node.source ?? String(node.value) });
    },
  });
  return faults;
}

function pathOf(nodes: readonly unknown[]): readonly string[] {
  return nodes.flatMap((node, at): readonly string[] => {
    if (isPair(node)) return [isScalar(node.key) ? String(node.key.value) : "?"];
    return isSeq(node) ? [String(node.items.indexOf(nodes[at + 1]))] : [];
  });
}
