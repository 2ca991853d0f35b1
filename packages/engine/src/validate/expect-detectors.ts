import type { DetectorName } from "../detectors/detector.ts";
import type { Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import { expectName } from "./expect.ts";
import { expectOneOrMore } from "./expect-value.ts";
import { DETECTOR_LIST } from "./name-lists.ts";

/** One or more detector names. */
export function expectDetectors(node: SourceNode, reporter: Reporter): readonly DetectorName[] | null {
  return expectOneOrMore(node, (item) => expectName(item, DETECTOR_LIST, reporter), reporter);
}
