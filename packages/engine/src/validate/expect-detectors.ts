import type { JsonObject } from "@svc/text/json-value";
import { DETECTOR_NAMES } from "../detectors/detector.ts";
import type { NamedDetector } from "../detectors/named-detector.ts";
import type { Reporter } from "../read/reporter.ts";
import type { SourceNode } from "../read/source-node.ts";
import { expectName } from "./expect.ts";
import { expectOneOrMore, oneOrMoreSchema } from "./expect-value.ts";
import { type NameList, namesSchema } from "./explain-name.ts";
import { DETECTOR_LIST } from "./name-lists.ts";
import { DETECTOR_NAME_SCHEMA, type OwnDetectors } from "./validate-detectors.ts";

export const DETECTORS_SCHEMA: JsonObject = oneOrMoreSchema({
  anyOf: [namesSchema(DETECTOR_LIST), DETECTOR_NAME_SCHEMA],
});

/** One or more detectors: built-in ones, and those of the document. */
export function expectDetectors(
  node: SourceNode,
  own: OwnDetectors,
  reporter: Reporter,
): readonly NamedDetector[] | null {
  const names: NameList<string> = { ...DETECTOR_LIST, names: [...DETECTOR_LIST.names, ...own.keys()] };
  return expectOneOrMore(
    node,
    (item) => {
      const name = expectName(item, names, reporter);
      return DETECTOR_NAMES.find((builtIn) => builtIn === name) ?? own.get(name ?? "") ?? null;
    },
    reporter,
  );
}
