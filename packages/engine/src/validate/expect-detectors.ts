import type { JsonObject } from "@svc/contract/json-value";
import type { DetectorName } from "../detectors/detector.ts";
import type { Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import { expectName } from "./expect.ts";
import { expectOneOrMore, oneOrMoreSchema } from "./expect-value.ts";
import { namesSchema } from "./explain-name.ts";
import { DETECTOR_LIST } from "./name-lists.ts";

export const DETECTORS_SCHEMA: JsonObject = oneOrMoreSchema(namesSchema(DETECTOR_LIST));

/** One or more detector names. */
export function expectDetectors(node: SourceNode, reporter: Reporter): readonly DetectorName[] | null {
  return expectOneOrMore(node, (item) => expectName(item, DETECTOR_LIST, reporter), reporter);
}
